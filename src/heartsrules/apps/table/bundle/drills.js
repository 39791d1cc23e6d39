import{e as a,f as b}from"./chunk-XVHE4F5D.js";import"./chunk-NKMG3HR4.js";import"./chunk-BYXBJQAS.js";import"./chunk-ASJRGLMF.js";export{a as Drills,b as drillPage};
