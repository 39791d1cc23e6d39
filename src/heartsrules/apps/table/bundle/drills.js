import{e as a,f as b}from"./chunk-SB3XNTOJ.js";import"./chunk-FJV6YFNV.js";import"./chunk-ZDLBWUXH.js";import"./chunk-BYXBJQAS.js";import"./chunk-I2UC5MJ2.js";export{a as Drills,b as drillPage};
