import{e as a,f as b}from"./chunk-W7JOYPUO.js";import"./chunk-6HENVK25.js";import"./chunk-BYXBJQAS.js";import"./chunk-PPSKWTTV.js";export{a as Drills,b as drillPage};
