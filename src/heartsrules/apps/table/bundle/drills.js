import{e as a,f as b}from"./chunk-G22NUMUR.js";import"./chunk-YNVZUO7Z.js";import"./chunk-KUQTDW2N.js";import"./chunk-BYXBJQAS.js";import"./chunk-YMXZFHRT.js";export{a as Drills,b as drillPage};
