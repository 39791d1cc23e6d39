import{e as a,f as b}from"./chunk-3ZELKWDA.js";import"./chunk-IIKUDLJB.js";import"./chunk-BYXBJQAS.js";import"./chunk-RPGYEA63.js";export{a as Drills,b as drillPage};
