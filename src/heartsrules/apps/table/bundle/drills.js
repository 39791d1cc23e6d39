import{d as a,e as b,f as c}from"./chunk-EXGR7WMG.js";import"./chunk-AGHLUCNB.js";import"./chunk-BYXBJQAS.js";import"./chunk-UO23VN7L.js";export{b as Drills,a as drawn,c as drillPage};
