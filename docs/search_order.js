// What a search lists first: the laws of Hearts, before the many names of the API that have the same words.
const LAWS = ["reference/laws", "reference/rules", "reference/disputes"];

var Scorer = {
  score: ([page, , , , score]) => score + (LAWS.includes(page) ? 20 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
