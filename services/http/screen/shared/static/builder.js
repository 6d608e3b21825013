// The page of a builder: steppers, a map to tap, and a draft that this browser keeps for its sign-in until it is sent.
const form = document.querySelector("form.builder");
const { entriesOf, put } = await import(form.dataset.script);
const DRAFTS = "fieldlog-draft ";
const name = `${DRAFTS}${document.documentElement.dataset.reader} ${form.dataset.draft}`;
const empty = entriesOf(form);
const WAIT = 300;
let timer = 0;

// Storage may be switched off, or full: then there is no draft.
function attempt(what) {
  try { return what(localStorage); } catch { return null; }
}

function keep() {
  clearTimeout(timer);
  const entries = entriesOf(form);
  attempt((kept) => entries === empty ? kept.removeItem(name) : kept.setItem(name, entries));
}

// What was sent under the key of a draft is done: only what was not is filled in again.
async function fillIn(entries) {
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(entries), headers: { Accept: "text/html" } });
    const made = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("form.builder");
    if (!made) return;
    if (made.querySelector(".notice.before")) return attempt((kept) => kept.removeItem(name));
    if (entriesOf(form) !== empty) return; // something was entered meanwhile
    put(form, made);
    form.querySelector("[data-kept]").hidden = false;
  } catch { /* without a connection the draft waits */ }
}

const draft = "fresh" in form.dataset && attempt((kept) => kept.getItem(name));
if (draft) await fillIn(draft);
else if (!("fresh" in form.dataset)) keep();

form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(keep, WAIT);
});
new MutationObserver(keep).observe(form, { childList: true }); // other fields came, as of a preset
addEventListener("pagehide", keep);

form.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-step]");
  if (!button) return;
  const field = button.parentElement.querySelector("input[type=number]");
  const count = (Number.parseInt(field.value, 10) || 0) + Number(button.dataset.step);
  field.value = Math.min(field.max === "" ? Infinity : Number(field.max), Math.max(Number(field.min), count));
  for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
});

form.addEventListener("submit", ({ submitter }) => {
  if (submitter?.value === "clear") form.querySelector("[data-kept]").hidden = true;
});

form.addEventListener("input", ({ target }) => {
  const shown = target.closest(".stepper")?.querySelector("[data-levels]");
  if (!shown) return;
  const levels = shown.dataset.levels.split(" ");
  shown.textContent = levels[Math.min(levels.length - 1, Math.max(0, Number.parseInt(target.value, 10) || 0))];
});

// A tap on the map puts whoever is chosen there, then the next who stands nowhere.
form.addEventListener("click", ({ target }) => {
  const sector = target.closest("[data-ring]");
  const chosen = sector && form.querySelector("[name=placing]:checked");
  if (!chosen) return;
  const field = (path, part) => form.elements.namedItem(`${path}.${part}`);
  for (const part of ["ring", "quadrant"]) field(chosen.value, part).value = sector.dataset[part];
  const pieces = [...form.querySelectorAll("[name=placing]")];
  const after = [...pieces.slice(pieces.indexOf(chosen) + 1), ...pieces];
  const next = after.find((each) => field(each.value, "ring")?.value === "");
  if (next) next.checked = true;
  for (const kind of ["input", "change"]) field(chosen.value, "ring").dispatchEvent(new Event(kind, { bubbles: true }));
});
