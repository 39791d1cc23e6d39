import{e as a,f as b}from"./chunk-5TERXR6M.js";import"./chunk-FZZMJY4F.js";import"./chunk-PZKHE2N4.js";import"./chunk-BYXBJQAS.js";import"./chunk-W3VS6YGJ.js";export{a as Drills,b as drillPage};
