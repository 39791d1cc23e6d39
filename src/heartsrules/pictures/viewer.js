const at = (id) => document.getElementById(id);
const narrow = matchMedia("(max-width: 600px)");
const last = data.frames.length - 1;
let ply = data.ply;
let timer = null;

function show(wanted) {
  ply = Math.max(0, Math.min(last, wanted));
  const [caption, wide, phone] = data.frames[ply];
  at("stage").innerHTML = (narrow.matches ? phone : wide)
    .map((line) => data.lines[line].map((part) => data.parts[part]).join(""))
    .join("\n");
  at("caption").textContent = caption;
  at("slider").value = ply;
  at("slider").setAttribute("aria-valuetext", `${ply} ${data.of} ${last}: ${caption}`);
  if (ply === last) stop();
}

function stop() {
  clearInterval(timer);
  timer = null;
  at("play").textContent = data.start;
}

function toggle() {
  if (timer !== null) return stop();
  if (ply === last) show(0);
  timer = setInterval(() => show(ply + 1), 900);
  at("play").textContent = data.pause;
}

// The places of deals and tricks are the plies at which they begin.
function go(step) {
  const forward = step[0] === "+";
  const places = data[`${step.slice(1)}s`];
  if (places === undefined) return show(forward ? ply + 1 : ply - 1);
  show(forward ? places.find((place) => place > ply) ?? last : places.findLast((place) => place < ply) ?? 0);
}

const KEYS = {
  ArrowLeft: "-move", ArrowRight: "+move", ArrowUp: "-trick", ArrowDown: "+trick",
  PageUp: "-trick", PageDown: "+trick", Home: "-deal", End: "+deal",
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key in KEYS) {
    stop();
    go(KEYS[event.key]);
  } else if (event.key === " " && event.target.tagName !== "BUTTON") toggle();
  else return;
  event.preventDefault();
});
for (const button of document.querySelectorAll("[data-go]")) {
  button.addEventListener("click", () => {
    stop();
    go(button.dataset.go);
  });
}
at("play").addEventListener("click", toggle);
at("slider").max = last;
at("slider").addEventListener("input", () => {
  stop();
  show(Number(at("slider").value));
});
narrow.addEventListener("change", () => show(ply));
show(ply);
