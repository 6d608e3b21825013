// Keys of the table. Single ones can be switched off (WCAG 2.1.4); that is kept in this browser.
const dialog = document.getElementById("keys");
const choice = document.getElementById("single-keys");
const NAME = "fieldlog-single-keys";
let goes = 0; // until when a letter after `g` counts

function stored() {
  try {
    return localStorage.getItem(NAME) !== "off";
  } catch {
    return true; // no storage here: they are on
  }
}

choice.checked = stored();
choice.addEventListener("change", () => {
  try {
    localStorage.setItem(NAME, choice.checked ? "on" : "off");
  } catch {
    // holds for this page then
  }
});

function toDo() {
  const panel = document.getElementById("do") ?? document.getElementById("waiting");
  panel.scrollIntoView({ block: "nearest" });
  (panel.querySelector("a[href], summary, button, input, textarea") ?? panel).focus();
}

function toDice() {
  const panel = document.getElementById("dice");
  if (location.hash) location.hash = "dice"; // on a phone one panel is shown
  panel.scrollIntoView({ block: "nearest" });
  (panel.querySelector(".builds button, input:not([type=hidden])") ?? panel).focus();
}

const SINGLE = { ".": toDo, r: toDice, "?": () => dialog.showModal(), g: () => (goes = Date.now() + 1500) };

document.addEventListener("keydown", (pressed) => {
  if (pressed.ctrlKey && !pressed.altKey && !pressed.shiftKey && pressed.key.toLowerCase() === "k") {
    pressed.preventDefault();
    toDo();
    return;
  }
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey || dialog.open || !choice.checked) return;
  if (pressed.target.closest("input, textarea, select, [contenteditable]")) return;
  const place = Date.now() < goes && document.querySelector(`[data-go="${CSS.escape(pressed.key)}"]`);
  goes = 0;
  const act = place ? () => place.click() : Object.hasOwn(SINGLE, pressed.key) && SINGLE[pressed.key];
  if (!act) return;
  pressed.preventDefault();
  act();
});
