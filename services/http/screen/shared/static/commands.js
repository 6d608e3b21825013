// The form of a command asks by itself what may stand in its other fields, and what would happen. Any form with
// `data-command` adds and takes away rows in place.
const WAIT = 250;
const STILL = 50; // how often is looked whether a button is let go
const PATIENCE = 10_000;
const steps = []; // rows and dice to add or take away, in order
let isStale = false; // something was entered since the form was asked last
let timer = 0;
let flight = null; // what is being asked
let earlier = null; // the entries that a form was sent with which is gone back to
let next = null; // the button that was pressed meanwhile, which acts on what the steps have made

const form = () => document.querySelector("form[data-command]");
const passed = (span) => new Promise((done) => setTimeout(done, span));

function noteFocus() {
  const at = document.activeElement;
  if (!at || !form()?.contains(at)) return null;
  const value = at.type === "radio" || at.type === "checkbox" || at.tagName === "BUTTON" ? at.value : null;
  let caret = null;
  try { caret = at.selectionStart; } catch { /* a number has none */ }
  return { name: at.name, value, caret };
}

function giveFocus(noted) {
  if (!noted) return;
  const same = [...form().elements].filter((each) => each.name === noted.name && each.type !== "hidden");
  const instead = noted.value?.replace(/^drop:(.*)\.\d+$/, "add:$1"); // of a row that is gone: where another is added
  const at = same.find((each) => noted.value === null || each.value === noted.value) ??
    same.find((each) => each.value === instead) ?? same[0];
  at?.focus({ preventScroll: true });
  if (noted.caret !== null && at?.setSelectionRange) {
    try { at.setSelectionRange(noted.caret, noted.caret); } catch { /* a number has none */ }
  }
}

// ---- asking ------------------------------------------------------------------------------------------------------

function entered(what) {
  const entries = new FormData(form());
  entries.set("do", what);
  return new URLSearchParams(entries).toString();
}

// Asks until everything is asked: one step after the other, then for the form as it stands.
async function ask() {
  clearTimeout(timer);
  timer = 0;
  if (flight || !form()) return;
  const own = (flight = new AbortController());
  form().setAttribute("aria-busy", "true");
  while (steps.length || isStale) {
    const step = steps[0];
    const before = entered(step ?? "ask");
    isStale = false;
    const made = await answer(earlier ?? before, own);
    while (form()?.querySelector("button:active")) await passed(STILL); // in whose place another one would get no click
    if (flight !== own) return;
    if (!form()) break;
    if (!made) {
      tell(form().dataset.late);
      next = null;
      break;
    }
    if (!earlier && entered(step ?? "ask") !== before) { // more was entered meanwhile
      isStale = true;
      await passed(WAIT);
      if (flight !== own) return;
      continue;
    }
    if (step) steps.shift(); // others may have come while the form as it stood was asked for
    earlier = null;
    tell("");
    put(made);
  }
  settle();
  const button = next && form()?.querySelector(`[name=do][value="${next}"]`);
  next = null;
  if (button) form().requestSubmit(button);
}

// The form as the service has it; null: it does not say.
async function answer(body, asking) {
  const late = setTimeout(() => asking.abort(), PATIENCE);
  try {
    const told = await fetch(form().action, { method: "POST", body: new URLSearchParams(body), headers: { Accept: "text/html" }, signal: asking.signal });
    return told.ok ? new DOMParser().parseFromString(await told.text(), "text/html").querySelector("form[data-command]") : null;
  } catch {
    return null;
  } finally {
    clearTimeout(late);
  }
}

// Nothing is asked any more, and nothing that was asked is put into the form.
function settle() {
  clearTimeout(timer);
  timer = 0;
  flight = earlier = null;
  steps.length = 0;
  isStale = false;
  form()?.removeAttribute("aria-busy");
}

function put(made) {
  const noted = noteFocus();
  const open = [...form().querySelectorAll("details")].map((each) => each.open);
  for (const part of [".fields", ".doing"]) form().querySelector(part)?.replaceWith(made.querySelector(part));
  form().querySelectorAll(":scope > .notice").forEach((each) => each.remove());
  made.querySelectorAll(":scope > .notice").forEach((each) => form().querySelector(".fields").before(each));
  if (form().elements.namedItem("key")) form().elements.namedItem("key").value = made.elements.namedItem("key").value;
  form().querySelectorAll("details").forEach((each, place) => { each.open ||= open[place]; });
  giveFocus(noted);
}

// What is said stays beside what is entered; the next answer that comes takes it away.
function tell(text) {
  form().querySelector("[data-told]").textContent = text;
}

// ---- when it asks ------------------------------------------------------------------------------------------------

// All listeners are the document's: the feed of the table puts another form in the place of this one.
document.addEventListener("change", ({ target }) => {
  if (!form()?.contains(target) || !form().querySelector(".doing")) return;
  isStale = true;
  form().setAttribute("aria-busy", "true");
  clearTimeout(timer);
  timer = setTimeout(ask, WAIT);
});

document.addEventListener("submit", (event) => {
  if (event.target !== form()) return;
  const what = event.submitter?.value ?? "ask";
  if (what !== "act" && what !== "save") {
    event.preventDefault();
    if (what === "ask") isStale = true;
    else steps.push(what);
    ask();
  } else if (steps.length) {
    event.preventDefault();
    next = what;
  } else {
    flight?.abort();
    settle();
    if (isPage()) history.replaceState({ ...history.state, sent: entered("ask") }, "");
  }
}, true); // before it would be sent

// Whether the form is that of a command, and sent by leaving its page.
function isPage() {
  return Boolean(form()?.querySelector(".doing")) && !form().matches("[data-act]");
}

// A form that is gone back to says what it did, if it was sent, and can be sent once more.
function askAgain() {
  if (!isPage() || !history.state?.sent) return;
  earlier = history.state.sent;
  isStale = true;
  ask();
}

// What has to be mended comes first, else what has to be filled in first.
function begin() {
  if (!isPage() || document.activeElement !== document.body) return;
  const fields = [...form().querySelectorAll(".fields :is(input:not([type=hidden]), select, textarea):not(:disabled)")];
  const first = fields.find((each) => each.matches("[aria-invalid=true]")) ?? fields[0];
  const same = first?.type === "radio" && fields.find((each) => each.name === first.name && each.checked);
  if (first?.checkVisibility()) (same || first).focus({ preventScroll: true });
}

begin();
if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") askAgain();
addEventListener("pageshow", ({ persisted }) => persisted && askAgain());

// Where the form stands on the table, what was thrown is shown beside it, and it is ready for the next throw.
document.addEventListener("fieldlog:sent", (sent) => {
  if (sent.target !== form() || !sent.detail) return;
  const page = new DOMParser().parseFromString(sent.detail, "text/html");
  const thrown = page.querySelector(".thrown");
  if (!thrown) return;
  document.querySelector(".thrown").replaceChildren(...thrown.childNodes);
  form().elements.namedItem("key").value = page.querySelector("[name=key]").value;
  form().querySelectorAll(".faces input:not([type=hidden])").forEach((each) => { each.value = ""; });
  tell("");
});

// Boxes for dice that fell on the table: a whole face leads to the next box, a wrong one is refused beside it.
document.addEventListener("input", ({ target }) => {
  if (!target.matches(".faces input")) return;
  const boxes = [...target.closest(".faces").querySelectorAll("input:not([type=hidden])")];
  const sides = Number(target.dataset.sides);
  const isFace = (said) => said === "" || (/^[0-9]{1,4}$/.test(said) && Number(said) >= 1 && Number(said) <= sides);
  const said = target.value.trim();
  target.toggleAttribute("aria-invalid", false);
  if (!isFace(said)) target.setAttribute("aria-invalid", "true");
  target.closest("fieldset").querySelector("[data-face-told]").textContent = isFace(said) ? "" : target.dataset.wrong;
  const typed = target.form.querySelector("[name=dice][value=typed]");
  if (typed) typed.checked = true;
  if (said && isFace(said) && Number(said) * 10 > sides) boxes[boxes.indexOf(target) + 1]?.focus();
});

document.documentElement.classList.add("asking");
