import{e as a,f as b}from"./chunk-3JWFSATY.js";import"./chunk-4BATWB6W.js";import"./chunk-BYXBJQAS.js";import"./chunk-SW4XSTNR.js";export{a as Drills,b as drillPage};
