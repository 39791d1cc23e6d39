// What a search lists first: the laws of Hearts and the sections of the presets, before the many names of the API that have
// the same words.
const LAWS = ["reference/laws", "reference/rules", "reference/disputes"];

var Scorer = {
  score: ([page, , anchor, , score]) => score + (LAWS.includes(page) || (page === "reference/presets" && anchor) ? 20 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};

// What a search quotes: the section that has most of the words, from its heading on and without its code. A result that
// names no section leads to that one.
const UNQUOTED = ".headerlink, .ruling, .highlight, script, style, summary";

function quoted(html, words, anchor) {
  const main = new DOMParser().parseFromString(html, "text/html").querySelector('[role="main"]');
  if (main === null) return null;
  for (const each of main.querySelectorAll(UNQUOTED)) each.remove();
  const sections = [...main.querySelectorAll("section[id]")];
  const named = anchor && main.querySelector(anchor)?.closest("section");
  const texts = new Map(sections.map((each) => [each, each.textContent.trim().replace(/\s+/g, " ")]));
  const inside = sections.filter((each) => !each.querySelector("section"));
  const count = (text) => words.filter((word) => text.toLowerCase().includes(word)).length;
  const titled = (each) => each.querySelector("h1, h2, h3, h4, h5, h6")?.textContent.trim().replace(/\s+/g, " ") ?? "";
  const score = (each) => count(texts.get(each)) + count(titled(each));
  const best = named || inside.reduce((one, other) => (one && score(one) >= score(other) ? one : other), null);
  if (!best) return null;
  const title = titled(best);
  const text = texts.get(best).slice(title.length).trim();
  return { id: best.id, whole: best === sections[0], title, text: text.length > 240 ? `${text.slice(0, 240)}...` : text };
}

document.addEventListener("DOMContentLoaded", () => {
  Search.makeSearchSummary = (html, keywords, anchor) => {
    const found = quoted(html, [...keywords].map((word) => word.toLowerCase()), anchor);
    if (found === null) return null;
    const shown = document.createElement("p");
    shown.className = "context";
    if (!anchor && !found.whole) {
      const title = document.createElement("strong");
      title.textContent = `${found.title} `;
      shown.append(title);
      // The caller puts the summary below the link.
      queueMicrotask(() => {
        const link = shown.closest("li")?.querySelector("a");
        if (link) link.href = `${link.href.split("#")[0]}#${found.id}`;
      });
    }
    shown.append(found.text);
    return shown;
  };
});
