import{a,b}from"./chunk-IM7Q3R2U.js";export{b as python,a as unpacked};
