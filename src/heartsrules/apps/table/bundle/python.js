import{a}from"./chunk-SWLD4JUH.js";export{a as python};
