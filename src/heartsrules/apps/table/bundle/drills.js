import{d as a,e as b,f as c}from"./chunk-N5UGTGLX.js";import"./chunk-ENAKJKXJ.js";import"./chunk-BYXBJQAS.js";import"./chunk-UUEJMBB6.js";export{b as Drills,a as drawn,c as drillPage};
