import{e as a,f as b}from"./chunk-TG53AMMP.js";import"./chunk-GL5HWMTF.js";import"./chunk-OZVFS6QX.js";import"./chunk-BYXBJQAS.js";import"./chunk-BPGZLOQT.js";export{a as Drills,b as drillPage};
