import{d as a,e as b,f as c}from"./chunk-UBV6ZMUG.js";import"./chunk-TNH7PGOB.js";import"./chunk-BYXBJQAS.js";import"./chunk-XONWJTGP.js";export{b as Drills,a as drawn,c as drillPage};
