import{e as a,f as b}from"./chunk-6QDNDLPO.js";import"./chunk-Y6EKAWSW.js";import"./chunk-BNWL4JXE.js";import"./chunk-BYXBJQAS.js";import"./chunk-X7J4V22S.js";export{a as Drills,b as drillPage};
