import{d as a,e as b,f as c}from"./chunk-DRVIZWSC.js";import"./chunk-ICJ3J6QW.js";import"./chunk-BYXBJQAS.js";import"./chunk-G6T73A6S.js";export{b as Drills,a as drawn,c as drillPage};
