// The forms of commands ask by themselves what may stand in their other fields, and what would happen. Any form with
// `data-command` adds and takes away rows in place; a page may have several.
const WAIT = 250;
const STILL = 50; // how often is looked whether a button is let go
const PATIENCE = 10_000;
const IDS = ["id", "for", "list", "aria-describedby", "aria-labelledby"];
const asking = new WeakMap(); // by form

// Where the asking of a form stands.
function stateOf(form) {
  if (!asking.has(form)) {
    asking.set(form, {
      steps: [], // rows and dice to add or take away, in order
      isStale: false, // something was entered since the form was asked last
      timer: 0,
      flight: null, // what is being asked
      earlier: null, // the entries that a form was sent with which is gone back to
      next: null, // the button that was pressed meanwhile, which acts on what the steps have made
    });
  }
  return asking.get(form);
}

const formOf = (element) => element.closest?.("form[data-command]");
const first = () => document.querySelector("form[data-command]");
const passed = (span) => new Promise((done) => setTimeout(done, span));

function noteFocus(form) {
  const at = document.activeElement;
  if (!at || !form.contains(at)) return null;
  if (at.matches("[data-ready]")) return { isReady: true }; // all is filled in: what comes next is sending it
  const value = at.type === "radio" || at.type === "checkbox" || at.tagName === "BUTTON" ? at.value : null;
  let caret = null;
  try { caret = at.selectionStart; } catch { /* a number has none */ }
  return { name: at.name, value, caret };
}

function giveFocus(form, noted) {
  if (!noted) return;
  if (noted.isReady) return form.querySelector("button.first")?.focus({ preventScroll: true });
  const same = [...form.elements].filter((each) => each.name === noted.name && each.type !== "hidden");
  const instead = noted.value?.replace(/^drop:(.*)\.\d+$/, "add:$1"); // of a row that is gone: where another is added
  const at = same.find((each) => noted.value === null || each.value === noted.value) ??
    same.find((each) => each.value === instead) ?? same[0];
  at?.focus({ preventScroll: true });
  if (noted.caret !== null && at?.setSelectionRange) {
    try { at.setSelectionRange(noted.caret, noted.caret); } catch { /* a number has none */ }
  }
}

// ---- asking ------------------------------------------------------------------------------------------------------

export function entriesOf(form, what = "ask") {
  const entries = new FormData(form);
  entries.set("do", what);
  return new URLSearchParams(entries).toString();
}

// Asks until everything is asked: one step after the other, then for the form as it stands.
async function ask(form) {
  const state = stateOf(form);
  clearTimeout(state.timer);
  state.timer = 0;
  if (state.flight || !form.isConnected) return;
  const own = (state.flight = new AbortController());
  form.setAttribute("aria-busy", "true");
  while (state.steps.length || state.isStale) {
    const step = state.steps[0];
    const before = entriesOf(form, step);
    state.isStale = false;
    const made = await answer(form, state.earlier ?? before, own);
    while (form.querySelector("button:active")) await passed(STILL); // in whose place another one would get no click
    if (state.flight !== own) return;
    if (!form.isConnected) break;
    if (!made) {
      tell(form, form.dataset.late);
      state.next = null;
      break;
    }
    if (!state.earlier && entriesOf(form, step) !== before) { // more was entered meanwhile
      state.isStale = true;
      await passed(WAIT);
      if (state.flight !== own) return;
      continue;
    }
    if (step) state.steps.shift(); // others may have come while the form as it stood was asked for
    state.earlier = null;
    tell(form, "");
    put(form, made);
  }
  settle(form);
  const button = state.next && form.querySelector(`[name=do][value="${state.next}"]`);
  state.next = null;
  if (button) form.requestSubmit(button);
}

// The form as the service has it; null: it does not say.
async function answer(form, body, asked) {
  const late = setTimeout(() => asked.abort(), PATIENCE);
  try {
    const told = await fetch(form.action, { method: "POST", body: new URLSearchParams(body), headers: { Accept: "text/html" }, signal: asked.signal });
    return told.ok ? new DOMParser().parseFromString(await told.text(), "text/html").querySelector("form[data-command]") : null;
  } catch {
    return null;
  } finally {
    clearTimeout(late);
  }
}

// Nothing is asked any more, and nothing that was asked is put into the form.
function settle(form) {
  const state = stateOf(form);
  clearTimeout(state.timer);
  Object.assign(state, { timer: 0, flight: null, earlier: null, isStale: false });
  state.steps.length = 0;
  form.removeAttribute("aria-busy");
}

export function put(form, made) {
  const noted = noteFocus(form);
  const open = [...form.querySelectorAll("details")].map((each) => each.open);
  if (form.dataset.apart) setApart(made, form.dataset.apart);
  for (const part of [".fields", ".doing"]) form.querySelector(part)?.replaceWith(made.querySelector(part));
  form.querySelectorAll(":scope > :is(.notice, .ready)").forEach((each) => each.remove());
  made.querySelectorAll(":scope > .notice").forEach((each) => form.querySelector(".fields").before(each));
  for (const name of ["key", "choice"]) if (form.elements.namedItem(name)) form.elements.namedItem(name).value = made.elements.namedItem(name).value;
  form.querySelectorAll("details").forEach((each, place) => { each.open ||= open[place]; });
  giveFocus(form, noted);
}

// Two forms on one page may have the same fields: the ids of one of them, and what names these, begin otherwise.
export function setApart(part, beginning) {
  for (const name of IDS) {
    for (const each of [part, ...part.querySelectorAll(`[${name}]`)]) {
      const ids = each.getAttribute(name);
      if (ids) each.setAttribute(name, ids.trim().split(/\s+/).map((id) => beginning + id).join(" "));
    }
  }
}

// What is said stays beside what is entered; the next answer that comes takes it away.
function tell(form, text) {
  form.querySelector("[data-told]").textContent = text;
}

// ---- when it asks ------------------------------------------------------------------------------------------------

// All listeners are the document's: the feed of the table puts other forms in the place of those that are there.
document.addEventListener("change", ({ target }) => {
  const form = formOf(target);
  if (!form?.querySelector(".doing")) return;
  const state = stateOf(form);
  state.isStale = true;
  form.setAttribute("aria-busy", "true");
  clearTimeout(state.timer);
  state.timer = setTimeout(ask, WAIT, form);
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-command]")) return;
  const state = stateOf(form);
  const what = event.submitter?.value ?? "ask";
  if (what !== "save" && what.split(":")[0] !== "act") {
    event.preventDefault();
    if (what === "ask") state.isStale = true;
    else state.steps.push(what);
    ask(form);
  } else if (state.steps.length) {
    event.preventDefault();
    state.next = what;
  } else {
    state.flight?.abort();
    settle(form);
    if (isPage(form)) history.replaceState({ ...history.state, sent: entriesOf(form) }, "");
  }
}, true); // before it would be sent

// Whether the form is that of a command, and sent by leaving its page.
function isPage(form) {
  return Boolean(form?.querySelector(".doing")) && !form.matches("[data-act]");
}

// Fills in what was entered before.
export function restore(form, entries) {
  Object.assign(stateOf(form), { earlier: entries, isStale: true });
  ask(form);
}

// A form that is gone back to says what it did, if it was sent, and can be sent once more.
function askAgain() {
  if (isPage(first()) && history.state?.sent) restore(first(), history.state.sent);
}

// What has to be mended comes first, else what has to be filled in and is not yet, else the first of all.
export function firstField(form) {
  const fields = [...form.querySelectorAll(".fields :is(input:not([type=hidden]), select, textarea):not(:disabled)")];
  const field = fields.find((each) => each.matches("[aria-invalid=true]")) ?? fields.find((each) => !each.validity.valid) ?? fields[0];
  return (field?.type === "radio" && fields.find((each) => each.name === field.name && each.checked)) || field;
}

if (isPage(first()) && document.activeElement === document.body) {
  const field = firstField(first());
  if (field?.checkVisibility()) field.focus({ preventScroll: true });
}
if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") askAgain();
addEventListener("pageshow", ({ persisted }) => persisted && askAgain());

// Where the form stands on the table, what was thrown is shown beside it, and it is ready for the next throw.
document.addEventListener("fieldlog:sent", ({ target: form, detail }) => {
  const tray = form.closest(".tray");
  if (!tray || !detail) return;
  const page = new DOMParser().parseFromString(detail, "text/html");
  const thrown = page.querySelector(".thrown");
  if (!thrown) return;
  tray.querySelector(".thrown").replaceChildren(...thrown.childNodes);
  form.elements.namedItem("key").value = page.querySelector("[name=key]").value;
  const own = page.querySelector(".own-rolls");
  const isOpen = form.querySelector(".evening")?.open;
  if (own) form.querySelector(".own-rolls").replaceWith(own);
  own?.querySelector(".evening")?.toggleAttribute("open", Boolean(isOpen));
  form.querySelectorAll(".faces input:not([type=hidden])").forEach((each) => { each.value = ""; });
  tell(form, "");
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

// ---- budgets -----------------------------------------------------------------------------------------------------

// Shows at once how much of a budget is used; the service decides.
function count(box) {
  const { path, ends, total, shares } = box.dataset;
  const counts = (name) => name === path || (name.startsWith(`${path}.`) && /^\d+$/.test(name.slice(path.length + 1, name.length - ends.length)) && name.endsWith(ends));
  const said = [...box.closest("form").elements]
    .filter((each) => counts(each.name) && each.type !== "hidden" && (!/^(checkbox|radio)$/.test(each.type) || each.checked))
    .map((each) => each.value.trim());
  const used = "counted" in box.dataset ? said.filter(Boolean).map(() => 1) : said.filter((each) => /^\d{1,6}$/.test(each)).map(Number);
  const left = shares ? shares.split(" ").map(Number) : [];
  for (const each of used) if (left.includes(each)) left.splice(left.indexOf(each), 1);
  const sum = used.reduce((all, each) => all + each, 0);
  box.querySelector("[data-used]").textContent = sum;
  box.querySelector("[data-left]")?.replaceChildren(shares ? left.join(", ") || "–" : String(Number(total) - sum));
  box.classList.toggle("over", sum > Number(total));
}

document.addEventListener("input", ({ target }) => {
  if (target.form) for (const box of target.form.querySelectorAll("[data-budget]")) count(box);
});

document.documentElement.classList.add("asking");
