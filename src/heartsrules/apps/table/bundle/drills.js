import{d as a,e as b,f as c}from"./chunk-BH6X4OR6.js";import"./chunk-YMCB7UPL.js";import"./chunk-BYXBJQAS.js";import"./chunk-ZACWY5DX.js";export{b as Drills,a as drawn,c as drillPage};
