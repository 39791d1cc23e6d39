import{d as a,e as b,f as c}from"./chunk-Q6KGRXZK.js";import"./chunk-VJEJOGYD.js";import"./chunk-BYXBJQAS.js";import"./chunk-G6T73A6S.js";export{b as Drills,a as drawn,c as drillPage};
