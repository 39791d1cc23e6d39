import{e as a,f as b}from"./chunk-KPPPAMYF.js";import"./chunk-PLQ3NAHE.js";import"./chunk-BYXBJQAS.js";import"./chunk-3E6N3OND.js";export{a as Drills,b as drillPage};
