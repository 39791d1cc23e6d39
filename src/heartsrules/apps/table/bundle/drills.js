import{e as a,f as b}from"./chunk-ABMYYUV3.js";import"./chunk-PNDLVN75.js";import"./chunk-BYXBJQAS.js";import"./chunk-MDZRQKJZ.js";export{a as Drills,b as drillPage};
