// The form of a command asks by itself what may stand in its other fields, and what would happen. Any form with
// `data-command` adds and takes away rows in place.
const WAIT = 250;
let asked = 0;
let timer = 0;
let flight = null;

const form = () => document.querySelector("form[data-command]");

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

async function ask(what) {
  form().setAttribute("aria-busy", "true");
  const nth = ++asked;
  flight?.abort();
  flight = new AbortController();
  const entered = new FormData(form());
  entered.set("do", what);
  const before = new URLSearchParams(entered).toString();
  try {
    const answer = await fetch(form().action, {
      method: "POST",
      body: new URLSearchParams(entered),
      headers: { Accept: "text/html" },
      signal: flight.signal,
    });
    if (nth === asked) tell(answer.ok ? "" : form().dataset.late);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const made = page.querySelector("form[data-command]");
    if (!made || nth !== asked) return;
    const now = new FormData(form());
    now.set("do", what);
    if (new URLSearchParams(now).toString() !== before) return schedule();
    const noted = noteFocus();
    const open = [...form().querySelectorAll("details")].map((each) => each.open);
    for (const part of [".fields", ".doing"]) form().querySelector(part)?.replaceWith(made.querySelector(part));
    form().querySelectorAll(":scope > .notice").forEach((each) => each.remove());
    made.querySelectorAll(":scope > .notice").forEach((each) => form().querySelector(".fields").before(each));
    if (form().elements.namedItem("key")) form().elements.namedItem("key").value = made.elements.namedItem("key").value;
    form().querySelectorAll("details").forEach((each, place) => { each.open ||= open[place]; });
    giveFocus(noted);
  } catch (failure) {
    if (failure.name !== "AbortError") tell(form().dataset.late);
  } finally {
    if (nth === asked && !timer) form().removeAttribute("aria-busy");
  }
}

// What is said stays beside what is entered; the next answer that comes takes it away.
function tell(text) {
  form().querySelector("[data-told]").textContent = text;
}

function schedule() {
  form().setAttribute("aria-busy", "true");
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = 0;
    ask("ask");
  }, WAIT);
}

function begin() {
  form().classList.add("asking");
  if (form().querySelector(".doing")) form().addEventListener("change", schedule);
  form().addEventListener("submit", (event) => {
    const what = event.submitter?.value ?? "ask";
    clearTimeout(timer);
    timer = 0;
    if (what === "act" || what === "save") {
      flight?.abort();
      asked += 1;
      return;
    }
    event.preventDefault();
    ask(what);
  });
}

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

if (form()) begin();
