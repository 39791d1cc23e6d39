import{a}from"./chunk.js";export{a as python};
