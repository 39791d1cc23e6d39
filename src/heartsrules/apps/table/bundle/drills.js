import{e as a,f as b}from"./chunk-SME553UJ.js";import"./chunk-RMHTYYNJ.js";import"./chunk-BYXBJQAS.js";import"./chunk-CNT4YUHP.js";export{a as Drills,b as drillPage};
