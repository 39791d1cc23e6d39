import{e as a,f as b}from"./chunk-SYOMQHDS.js";import"./chunk-5K35VJXO.js";import"./chunk-BYXBJQAS.js";import"./chunk-YFGBNHAW.js";export{a as Drills,b as drillPage};
