import{e as a,f as b}from"./chunk-ZLNVO6UX.js";import"./chunk-7K4IYZ4U.js";import"./chunk-5PBNLTJM.js";import"./chunk-BYXBJQAS.js";import"./chunk-IZUPL7UB.js";export{a as Drills,b as drillPage};
