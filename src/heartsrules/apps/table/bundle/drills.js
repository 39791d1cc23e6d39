import{e as a,f as b}from"./chunk-GDBZNV7C.js";import"./chunk-G564Y7QZ.js";import"./chunk-BYXBJQAS.js";import"./chunk-NL2MF7SN.js";export{a as Drills,b as drillPage};
