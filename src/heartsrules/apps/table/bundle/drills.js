import{e as a,f as b}from"./chunk-ZRV4TKUL.js";import"./chunk-M7SFZ4NW.js";import"./chunk-BYXBJQAS.js";import"./chunk-FBQORDRQ.js";export{a as Drills,b as drillPage};
