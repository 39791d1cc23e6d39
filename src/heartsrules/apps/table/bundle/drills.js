import{d as a,e as b,f as c}from"./chunk-KFQUW6JC.js";import"./chunk-CWFYJVW5.js";import"./chunk-BYXBJQAS.js";import"./chunk-3TSVO4UX.js";export{b as Drills,a as drawn,c as drillPage};
