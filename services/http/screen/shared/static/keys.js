// Keys of every page of a campaign. Single ones can be switched off (WCAG 2.1.4); that is kept in this browser.
const dialog = document.getElementById("keys"); // on the table
const NAME = "fieldlog-single-keys";
let goes = 0; // until when a letter after `g` counts

function stored() {
  try {
    return localStorage.getItem(NAME) !== "off";
  } catch {
    return true; // no storage here: they are on
  }
}

function areOn() {
  return document.getElementById("single-keys")?.checked ?? stored();
}

const choice = dialog?.querySelector("#single-keys");
if (choice) choice.checked = stored();
choice?.addEventListener("change", () => {
  try {
    localStorage.setItem(NAME, choice.checked ? "on" : "off");
  } catch {
    // holds for this page then
  }
});

function toDo() {
  const panel = document.getElementById("do") ?? document.getElementById("waiting");
  panel?.scrollIntoView({ block: "nearest" });
  (panel?.querySelector("a[href], summary, button, input, textarea") ?? panel)?.focus();
  return panel !== null;
}

function toDice() {
  const panel = document.getElementById("dice");
  if (!panel) return;
  if (location.hash) location.hash = "dice"; // on a phone one panel is shown
  panel.scrollIntoView({ block: "nearest" });
  (panel.querySelector(".builds button, input:not([type=hidden])") ?? panel).focus();
}

function step(by) {
  const links = [...document.querySelectorAll(".chronicle .line .by a:not(.undo)")];
  const at = links.indexOf(document.activeElement);
  const next = at < 0 ? links.length - 1 : Math.min(links.length - 1, Math.max(0, at + by));
  links[next]?.focus();
  links[next]?.closest(".line").scrollIntoView({ block: "nearest" });
}

// Of the number in focus; where there is none, the first one that can be seen gets it.
function why() {
  const number = document.activeElement.closest("a.why");
  if (number) number.click();
  else [...document.querySelectorAll("main a.why")].find((each) => each.checkVisibility())?.focus();
}

function look() {
  const field = document.querySelector("[role=search] #text");
  if (field) {
    field.closest("details").open = true; // on a phone it is folded
    field.focus();
  } else location.assign(`${document.querySelector("[data-go=c]").href}#text`); // gets the focus there
}

// One of the first nine things that can be done, while the focus is among them.
function offered(nth) {
  const list = document.activeElement.closest("#do, #waiting");
  const seen = [...(list?.querySelectorAll("a.button, button[value=act]") ?? [])].filter((each) => each.checkVisibility());
  return seen[nth - 1];
}

const SINGLE = {
  ".": toDo,
  r: toDice,
  n: () => step(1),
  p: () => step(-1),
  w: why,
  "/": look,
  "?": () => dialog?.showModal(),
  g: () => (goes = Date.now() + 1500),
};

document.addEventListener("keydown", (pressed) => {
  if (pressed.ctrlKey && !pressed.altKey && !pressed.shiftKey && pressed.key.toLowerCase() === "k") {
    if (toDo()) pressed.preventDefault();
    return;
  }
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey || pressed.defaultPrevented || !areOn()) return;
  if (pressed.target.closest("input:not([type=range], [type=checkbox]), textarea, select, [contenteditable], dialog")) return;
  const place = Date.now() < goes && document.querySelector(`[data-go="${CSS.escape(pressed.key)}"]`);
  goes = 0;
  const target = place || (/^[1-9]$/.test(pressed.key) && offered(Number(pressed.key)));
  const act = target ? () => target.click() : Object.hasOwn(SINGLE, pressed.key) && SINGLE[pressed.key];
  if (!act) return;
  pressed.preventDefault();
  act();
});
