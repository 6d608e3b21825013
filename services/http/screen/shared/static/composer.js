// What leads to the form of a command, or to why a value is what it is, opens beside what was tapped. What is done
// there, and what comes of it, is read in the same place.
const dialog = document.getElementById("composer");
const { entriesOf, firstField, restore, setApart } = await import(dialog.dataset.script);
const piece = dialog.querySelector(".piece");
const APART = "here-";
const GAP = 8;
const ROOM = 320; // less than this beside what was tapped is too narrow
const drafts = new Map(); // by address: what was entered in a form that was left
let about = null; // the address of what was tapped
let origin = null; // the panel that it is in
let shown = null; // the address of what is shown
let fresh = ""; // the entries of its form before anything was entered
let flight = null;
let isStale = false; // something was done, and the page behind does not follow by itself

const read = (html) => new DOMParser().parseFromString(html, "text/html");
const form = () => piece.querySelector("form[data-command]");
const isOnItsWay = () => piece.querySelector("[data-key][aria-busy]") !== null; // what comes of it is read here

// The address of what opens in place of the page that a link leads to; null: it leads to that page.
function placeOf(link) {
  if (!link || link.getAttribute("target") || document.documentElement.dataset.kept) return null;
  const address = new URL(link.getAttribute("href"), location.href);
  if (/\/c\/[^/]+\/do\/[^/]+$/.test(address.pathname)) return address.href;
  if (!link.matches(".why, [data-thing]") || address.searchParams.has("at")) return null; // nothing is done in the past
  address.searchParams.set("acts", "yes");
  return address.href;
}

function look(from, address) {
  about = from.getAttribute("href");
  origin = from.closest("[data-panel]");
  stand(from.getBoundingClientRect());
  if (!dialog.open) dialog.showModal();
  load(address);
}

// On the side that has more room; where neither has enough, the stylesheet says where.
function stand({ left, right }) {
  const isBefore = left > innerWidth - right;
  const room = (isBefore ? left : innerWidth - right) - 2 * GAP;
  dialog.classList.toggle("aside", room >= ROOM);
  dialog.style.setProperty("--room", `${room}px`);
  dialog.style.setProperty("--left", isBefore ? "auto" : `${right + GAP}px`);
  dialog.style.setProperty("--right", isBefore ? `${innerWidth - left + GAP}px` : "auto");
}

async function load(address, others = null) {
  keepDraft();
  shown = address;
  if (!others) piece.replaceChildren(dialog.querySelector("template").content.cloneNode(true));
  flight?.abort();
  const { signal } = (flight = new AbortController());
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" }, credentials: "same-origin", signal });
    const main = !answer.redirected && read(await answer.text()).querySelector("main");
    if (!main?.querySelector("h1")) throw address; // signed out meanwhile, for one
    show(main, others);
  } catch {
    if (!signal.aborted) location.assign(address.replace(/[?&]acts=yes$/, ""));
    return;
  }
  const draft = drafts.get(address);
  if (draft && form()) restore(form(), draft);
}

// A page in the dialog; `others` leads to what else can be done with the same thing.
function show(main, others = null) {
  setApart(main, APART);
  const title = main.querySelector("h1");
  const heading = Object.assign(document.createElement("h2"), { id: "composer-title", tabIndex: -1 });
  heading.append(...title.childNodes);
  title.replaceWith(heading);
  if (others) heading.after(others);
  piece.replaceChildren(...main.childNodes);
  const own = form();
  if (own) {
    Object.assign(own.dataset, { act: "", inPlace: dialog.dataset.done, apart: APART });
    own.noValidate = true; // what is missing is said by the service, in the reader's language
    fresh = entriesOf(own);
  }
  dialog.scrollTop = 0;
  const open = own && [...own.elements].some((each) => each.matches("[aria-invalid=true]") || each.validity?.valid === false);
  const ready = own?.querySelector(".ready"); // what is open is said by its buttons
  if (ready) own.querySelector(".fields").before(ready);
  else if (own && !open) own.querySelector(".fields").before(own.querySelector(".doing")); // nothing has to be filled in before
  (ready?.querySelector("button") ?? (open ? firstField(own) : own?.querySelector("button.first")) ?? heading)?.focus({ preventScroll: !open });
}

function keepDraft() {
  if (!form()) return;
  if (entriesOf(form()) === fresh) drafts.delete(shown);
  else drafts.set(shown, entriesOf(form()));
}

// What was done, in the place of the form, and what it leads to.
function showDone(html) {
  const page = read(html);
  const done = page.querySelector("main > .happened");
  if (!done) {
    location.reload(); // signed out meanwhile, for one
    return;
  }
  drafts.delete(shown);
  setApart(page.body, APART);
  piece.replaceChildren(piece.querySelector("#composer-title"), done, ...page.querySelectorAll("main .awaited, main [aria-labelledby$=going-on]"));
  done.tabIndex = -1;
  done.focus();
  refresh();
}

// The table is followed by its feed; other pages are read again, those of one moment in place.
async function refresh() {
  if (document.getElementById("table")) return;
  isStale = true;
  const then = document.getElementById("then");
  if (!then) return;
  const answer = await fetch(location.href, { credentials: "same-origin" });
  const now = answer.ok && read(await answer.text()).getElementById("then");
  if (!now) return;
  then.replaceChildren(...now.childNodes);
  isStale = false;
}

document.addEventListener("click", (clicked) => {
  if (clicked.defaultPrevented || clicked.ctrlKey || clicked.metaKey || clicked.shiftKey || clicked.altKey) return;
  const link = clicked.target.closest("a[href]");
  const isWithin = dialog.contains(link);
  const others = isWithin && link.closest("nav");
  const address = others ? link.href : placeOf(link);
  if (!address) return;
  clicked.preventDefault();
  if (isOnItsWay()) return;
  if (others) {
    for (const each of others.querySelectorAll("a")) each.toggleAttribute("aria-current", each === link);
    link.setAttribute("aria-current", "true");
    load(address, others);
  } else if (isWithin) load(address);
  else look(link, address);
});

// A button that does something at once does it from here, where what comes of it is read.
document.addEventListener("submit", (sent) => {
  const own = sent.target;
  if (!own.matches(".at-once:not([data-act])") || document.documentElement.dataset.kept) return;
  sent.preventDefault();
  if (isOnItsWay()) return;
  const copy = own.cloneNode(true);
  Object.assign(copy.dataset, { act: "", inPlace: dialog.dataset.done });
  copy.append(Object.assign(document.createElement("p"), { className: "small", role: "status" }));
  copy.lastChild.dataset.told = "";
  const heading = Object.assign(document.createElement("h2"), { id: "composer-title", tabIndex: -1 });
  heading.append(sent.submitter.firstChild.cloneNode());
  about = shown = null;
  origin = own.closest("[data-panel]") ?? origin; // what is done next from its result counts as done there
  piece.replaceChildren(heading, copy);
  if (!dialog.open) {
    stand(own.getBoundingClientRect());
    dialog.showModal();
  }
  heading.focus();
  copy.requestSubmit(copy.querySelector("button"));
}, true);
document.addEventListener("fieldlog:sent", ({ target, detail }) => piece.contains(target) && showDone(detail));
document.addEventListener("fieldlog:refused", (refused) => {
  if (!piece.contains(refused.target)) return;
  const main = read(refused.detail).querySelector("main");
  if (!main?.querySelector("form[data-command]")) return;
  refused.preventDefault();
  show(main, piece.querySelector("nav"));
});
dialog.addEventListener("cancel", (asked) => isOnItsWay() && asked.preventDefault());
dialog.addEventListener("close", () => {
  if (isOnItsWay()) {
    dialog.showModal(); // a browser lets nobody be held by a dialog that only prevents what would close it
    return;
  }
  keepDraft();
  flight?.abort();
  if (isStale) {
    location.reload();
    return;
  }
  const isDone = piece.querySelector(".happened") !== null;
  piece.replaceChildren();
  const at = document.activeElement; // the browser gives it back to what is still there
  const isLost = at === document.body || dialog.contains(at);
  const link = about && document.querySelector(`a[href="${CSS.escape(about)}"]`);
  if (isLost) (link ?? origin)?.focus({ preventScroll: true });
  else if (isDone && !about && origin?.contains(at)) origin.focus({ preventScroll: true }); // its button has done what it is for
});
