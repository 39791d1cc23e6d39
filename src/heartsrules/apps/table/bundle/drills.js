import{e as a,f as b}from"./chunk-6DTRSSOK.js";import"./chunk-XWJNB5RP.js";import"./chunk-BYXBJQAS.js";import"./chunk-CUV362JC.js";export{a as Drills,b as drillPage};
