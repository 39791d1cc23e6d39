"""The law of the window: the sizes that it holds for, and a script that says what breaks it."""

from __future__ import annotations

from typing import Final

SIZES: Final = (
    *((1440, 900), (1536, 730), (1366, 657), (1280, 720), (768, 1024)),
    *((390, 844), (390, 664), (375, 553), (360, 640), (640, 360)),
)
SEEN: Final = """() => {
  const seen = (each) => each.checkVisibility({ visibilityProperty: true });
  const found = (...selectors) => selectors.flatMap((each) => [...document.querySelectorAll(each)]).filter(seen);
  const told = (each) => `${each.getAttribute("class") || each.id || each.tagName} ${each.textContent.slice(0, 24)}`;
  const box = (each) => each.getBoundingClientRect();
  const boxes = (...selectors) => found(...selectors).map((each) => [each, box(each)]);
  const problems = [];
  const over = document.querySelector(".game").dataset.phase === "game-over";
  const read = over
    ? boxes("#winner", ".places li", ".crown .buttons > *")
    : boxes(
        ...[".who", ".held", ".played .face", ".heading > *", ".centre .label", "#lost > *"],
        ...["#prompt", "#advice", ".actions > *"],
      );
  const cards = boxes(".hand .card");
  for (const needed of over ? ["#winner", ".crown button"] : [".who", "#prompt"]) {
    if (!found(needed).length) problems.push(`${needed} is not there`);
  }
  const out = ({ left, right, top, bottom }) => Math.max(-left, -top, right - innerWidth, bottom - innerHeight) > 0.5;
  for (const [each, at] of [...read, ...cards]) if (out(at)) problems.push(`${told(each)} is outside`);
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) problems.push("the page scrolls");
  // A card that is turned does not fill its box.
  const empty = (each, { height }) => (each.matches(".played .face") ? 0.04 * height : 0.5);
  read.forEach(([one, a], at) => [...read.slice(at + 1), ...cards].forEach(([other, b]) => {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (one.contains(other) || Math.min(across, down) <= empty(one, a) + empty(other, b)) return;
    problems.push(`${told(one)} and ${told(other)} cover each other`);
  }));
  for (const [card, { left, top, width, height }] of cards) {
    const rank = box(card.querySelector(".rank"));
    const upon = document.elementFromPoint(rank.left + rank.width / 2, rank.top + rank.height / 2);
    if (upon?.closest(".card") !== card) problems.push(`${card.dataset.card} is covered`);
    const row = cards.filter(([, other]) => other.left > left && Math.abs(other.top - top) < height / 2);
    const visible = Math.min(width, ...row.map(([, other]) => other.left - left));
    if (visible < 23.5) problems.push(`of ${card.dataset.card} ${visible} pixels can be hit`);
  }
  for (const [each, { width, height }] of boxes(".actions button", ".crown button")) {
    if (Math.min(width, height) < 24) problems.push(`${told(each)} is small`);
  }
  for (const each of found("#prompt", ".actions button", ".centre .label", ".newcomer")) {
    const beyond = Math.max(each.scrollHeight - each.clientHeight - 1, each.scrollWidth - each.clientWidth);
    if (beyond > 1) problems.push(`${told(each)} is cut`);
  }
  for (const name of found(".line:has(.bot-face) .name > :first-child")) {
    if (innerHeight > 600 && !found(".line .bot-face").length) problems.push("no face is seen");
    if (name.scrollWidth > name.clientWidth) problems.push(`the name ${name.textContent} is cut`);
  }
  for (const { offsetWidth } of found(".played:has(.face)")) {
    if (offsetWidth < 20) problems.push(`a card of the trick is ${offsetWidth} wide`);
  }
  return [...new Set(problems)];
}"""
"""What is outside the window, covered, cut or too small."""
