// Keys of every page of a campaign: along the lines of a log, to why a number is what it is, and to a search for words.
const NAME = "fieldlog-single-keys"; // whether they are on is kept in this browser

function areOn() {
  const choice = document.getElementById("single-keys");
  if (choice) return choice.checked;
  try {
    return localStorage.getItem(NAME) !== "off";
  } catch {
    return true;
  }
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
  if (field) field.focus();
  else location.assign(`${document.querySelector("[data-go=c]").href}#text`); // gets the focus there
}

const KEYS = { n: () => step(1), p: () => step(-1), w: why, "/": look };

document.addEventListener("keydown", (pressed) => {
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey || pressed.defaultPrevented || !Object.hasOwn(KEYS, pressed.key)) return;
  if (pressed.target.closest("input:not([type=range], [type=checkbox]), textarea, select, [contenteditable], dialog") || !areOn()) return;
  pressed.preventDefault();
  KEYS[pressed.key]();
});
