import{e as a,f as b}from"./chunk-JKLELRSP.js";import"./chunk-UTITT5TJ.js";import"./chunk-BYXBJQAS.js";import"./chunk-6X26HIML.js";export{a as Drills,b as drillPage};
