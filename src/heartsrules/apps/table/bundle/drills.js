import{e as a,f as b}from"./chunk-IMM5V3QP.js";import"./chunk-LVUOI7FL.js";import"./chunk-BYXBJQAS.js";import"./chunk-6JT7IEO3.js";export{a as Drills,b as drillPage};
