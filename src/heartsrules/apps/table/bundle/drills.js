import{d as a,e as b,f as c}from"./chunk-NKF7F6ZP.js";import"./chunk-GDOEBJVX.js";import"./chunk-BYXBJQAS.js";import"./chunk-XONWJTGP.js";export{b as Drills,a as drawn,c as drillPage};
