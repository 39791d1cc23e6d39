import{d as a,e as b,f as c}from"./chunk-JYK7PIE3.js";import"./chunk-E5NMAFSE.js";import"./chunk-BYXBJQAS.js";import"./chunk-SQIP55UV.js";export{b as Drills,a as drawn,c as drillPage};
