import{e as a,f as b}from"./chunk-57VZOWTA.js";import"./chunk-JXD6CTSK.js";import"./chunk-BYXBJQAS.js";import"./chunk-TOHMPMT4.js";export{a as Drills,b as drillPage};
