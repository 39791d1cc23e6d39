import{d as a,e as b,f as c}from"./chunk-CLEBLFGA.js";import"./chunk-ODUKAVES.js";import"./chunk-BYXBJQAS.js";import"./chunk-I6SITORV.js";export{b as Drills,a as drawn,c as drillPage};
