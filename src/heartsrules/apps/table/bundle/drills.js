import{e as a,f as b}from"./chunk-Z4XWBHIO.js";import"./chunk-54NL76ZD.js";import"./chunk-BYXBJQAS.js";import"./chunk-BWR7EXZ3.js";export{a as Drills,b as drillPage};
