import{e as a,f as b}from"./chunk-EZYPTKCV.js";import"./chunk-7NWWZYDZ.js";import"./chunk-BYXBJQAS.js";import"./chunk-Z4JF3WF4.js";export{a as Drills,b as drillPage};
