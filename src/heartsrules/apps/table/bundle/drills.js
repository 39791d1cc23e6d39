import{e as a,f as b}from"./chunk-VRZTJLQ5.js";import"./chunk-ET4QEHSZ.js";import"./chunk-KJHVVUG6.js";import"./chunk-BYXBJQAS.js";import"./chunk-OSI2O4DQ.js";export{a as Drills,b as drillPage};
