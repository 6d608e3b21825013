// Keeps an open table up to date: follows the live feed, adds new lines, and asks again for the panels it touches.
// Other pages have one panel, of which the page itself is asked again.
const table = document.getElementById("table") ?? document.getElementById("followed");
const state = document.getElementById("line");
const turn = document.getElementById("turn");
const PACE = { chronicle: 250, boards: 250, sheets: 250, do: 1000, dice: 1000, waiting: 1000, tests: 1000, time: 1000, hidden: 1000, now: 1000 };
// milliseconds between an answer and the next request at least
const LINES_MAX = 150; // of the log, as long as it is followed at its end
const NEW_FOR = 4000;
const OFFLINE_AFTER = 10000;
const AGAIN = 5000; // after what the service could not answer

let reached = Number(table.dataset.seq);
let build = table.dataset.build; // of the service that this page came from
let line = null; // to what follows the campaign for all windows of this browser
let isShared = true;
let lostAt = null;
let isOver = Boolean(document.documentElement.dataset.kept); // whoever reads it may not any more, or has no connection
let awaited = awaitedIn(document);

// ---- the line to the service -------------------------------------------------------------------------------------

// A browser has few connections to a service: all windows follow over one of them. A browser without shared workers
// has the same script in each window, whose line then ends while it is out of sight.
function open() {
  if (isOver) return;
  try {
    const worker = new SharedWorker(table.dataset.script, { type: "module", name: document.documentElement.dataset.reader });
    worker.onerror = standAlone;
    hear(worker.port);
  } catch {
    standAlone(); // there are none, or they are not allowed
  }
}

function standAlone() {
  const { port1, port2 } = new MessageChannel();
  isShared = false;
  hear(port1);
  import(table.dataset.script).then(({ join }) => join(port2));
}

function hear(port) {
  line = port;
  line.onmessage = ({ data }) => isOver || heard[data.kind](data);
  say();
}

function say(more) {
  if (isOver || (document.hidden && !isShared)) line?.postMessage({ isGone: true });
  else line.postMessage({ campaign: table.dataset.campaign, feed: table.dataset.feed, reader: document.documentElement.dataset.reader, after: reached, isShown: !document.hidden, ...more });
}

const heard = {
  who() {
    say(); // that it is still there
  },
  hello({ build: now, missed }) {
    lostAt = null;
    show("live");
    if (missed || now !== build) Object.keys(PACE).forEach((panel) => refresh(panel, true));
    build = now;
    if (missed) reached = missed;
  },
  names() {
    Object.keys(PACE).forEach((panel) => refresh(panel, true)); // somebody is called otherwise now
  },
  action({ action }) {
    if (document.hidden) putOff(action);
    else follow(action);
  },
  end({ code }) {
    if (["not_signed_in", "campaign_not_found"].includes(code)) end();
    else heard.lost({ isRefused: true });
  },
  lost({ isRefused }) {
    lostAt ??= Date.now();
    show(navigator.onLine && Date.now() - lostAt < OFFLINE_AFTER ? "reconnecting" : "offline");
    if (isRefused) refresh("chronicle"); // the lines that it asks for instead tell whether it may have any
  },
};

function end() {
  isOver = true;
  navigator.serviceWorker?.controller?.postMessage("ask"); // whether it still keeps what may be read
  say();
  show("over");
}

function show(what) {
  if (!state) return; // the page has a strip for it
  const sign = { live: "●", reconnecting: "◌", offline: "○", over: "○" }[what];
  const since = new Date(lostAt ?? Date.now()).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: document.documentElement.dataset.zone });
  const said = `${sign} ${state.dataset[what].replace("…", since)}`;
  if (state.textContent !== said) state.textContent = said;
  state.className = `small ${what}`;
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) makeUp();
  say();
});
addEventListener("pagehide", () => line?.postMessage({ isGone: true }));
addEventListener("pageshow", (back) => back.persisted && say());
addEventListener("offline", () => {
  lostAt ??= Date.now();
  show("offline");
});
addEventListener("online", () => say({ again: true }));

// ---- what an action touches --------------------------------------------------------------------------------------

function follow({ seq, line, touches }) {
  if (seq <= reached) return;
  reached = seq;
  leaveBehind();
  lines.push(line);
  paintSoon();
  bringNews(line, touches);
  for (const panel of document.querySelectorAll("[data-panel]")) if (isTouched(panel.id, touches)) refresh(panel.id, true);
}

// Out of sight a window asks only for what its title says; the rest has time until it is looked at.
const CALLS = ["do", "waiting"];
const PUT_OFF_MAX = 200; // a window that was told more meanwhile reads everything again instead
let unread = [];

function putOff(action) {
  unread.push(action);
  if (unread.length > PUT_OFF_MAX + 1) unread.shift();
  for (const panel of CALLS) if (isTouched(panel, action.touches)) refresh(panel, true);
}

function makeUp() {
  const actions = unread;
  unread = [];
  if (actions.length <= PUT_OFF_MAX) actions.forEach(follow);
  else {
    reached = Math.max(reached, actions.at(-1).seq);
    Object.keys(PACE).forEach((panel) => refresh(panel, true));
  }
}

function isTouched(panel, touches) {
  const words = document.getElementById(panel)?.dataset.of.split(" ") ?? [];
  return touches.some((each) => each === "everything" || words.some((word) => each === word || each.startsWith(`${word}:`)));
}

// The card of what one did stands before what is waited for, until something else happens.
function leaveBehind() {
  const card = document.querySelector("main > .happened");
  if (!card) return;
  card.remove();
  const address = new URL(location);
  address.searchParams.delete("done"); // reading it again does not bring it back
  history.replaceState(history.state, "", address);
}

const waiting = {}; // by panel: when it may be asked for, whether it is asked for, and what of it

function refresh(panel, whole = panel !== "chronicle") {
  const shown = document.getElementById(panel);
  if (!shown) return; // another page has it
  const form = shown.querySelector("form[data-command]");
  if (form) { // it asks by itself, and what was built in it stays
    form.dispatchEvent(new Event("change", { bubbles: true }));
    return;
  }
  const own = (waiting[panel] ??= { from: 0, timer: 0, busy: false, whole: false, wanted: false });
  own.wanted = true;
  own.whole ||= whole;
  if (!own.timer && !own.busy) own.timer = setTimeout(askDue, Math.max(0, own.from - Date.now()), panel);
}

// All panels whose time has come are asked for at once, those first that are drawn soonest. New lines come by themselves.
function askDue(first) {
  const now = Date.now();
  const due = Object.keys(PACE).filter((panel) => panel === first || (waiting[panel]?.timer && waiting[panel].from <= now));
  const lines = due.filter((panel) => !waiting[panel].whole);
  const panels = due.filter((panel) => waiting[panel].whole);
  for (const asked of [lines, panels]) if (asked.length) ask(asked, asked === panels);
}

async function ask(panels, whole) {
  for (const panel of panels) {
    clearTimeout(waiting[panel].timer);
    Object.assign(waiting[panel], { timer: 0, busy: true, whole: false, wanted: false });
  }
  const log = document.querySelector("#chronicle .chronicle");
  const missing = new Set(panels);
  let later = 0;
  let isWanted = true; // without a connection, as soon as the pace allows
  try {
    const address = `${table.dataset.path}/${panels.join(",")}${whole ? "" : `?after=${lastIn(log)}`}`;
    const answer = await fetch(table.dataset.path ? address : (table.dataset.here ?? location.href), { credentials: "same-origin" });
    isWanted = !answer.redirected && (answer.ok || answer.status === 429 || answer.status >= 500);
    if (answer.redirected || answer.status === 401 || answer.status === 404) end(); // also where one is sent to sign in
    else if (!answer.ok) later = 1000 * Number(answer.headers.get("Retry-After")) || AGAIN;
    else {
      later = AGAIN; // for those that do not come
      for await (const [panel, html] of panelsIn(answer, panels)) {
        const fresh = new DOMParser().parseFromString(html, "text/html").body;
        if (panel !== "chronicle") put(panel, fresh.querySelector(`#${panel}`));
        else if (whole) aroundLog(() => keyed(log, fresh.querySelector(".chronicle")));
        else aroundLog(() => append(log, fresh));
        missing.delete(panel);
        settleAsked(panel);
      }
    }
  } catch {
    // the connection is lost
  }
  for (const panel of missing) {
    if (isWanted) Object.assign(waiting[panel], { wanted: true, whole: waiting[panel].whole || whole });
    settleAsked(panel, later);
  }
}

// What was painted late is not painted again early.
function settleAsked(panel, later = 0) {
  const own = waiting[panel];
  Object.assign(own, { from: Date.now() + Math.max(PACE[panel], later), busy: false });
  if (own.wanted) refresh(panel, own.whole);
}

// A panel, or several, each as soon as it is drawn: boards do not wait for commands.
async function* panelsIn(answer, panels) {
  if (panels.length === 1) {
    yield [panels[0], await answer.text()];
    return;
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

// ---- the log -----------------------------------------------------------------------------------------------------

function lastIn(log) {
  const lines = log.querySelectorAll("li[id^=a]");
  return lines.length ? numberOf(lines[lines.length - 1]) : 0;
}

function numberOf(line) {
  return Number(line.id.slice(1));
}

const lines = []; // that have come, and are put into the log together
let paintedAt = 0;
let painting = 0;
let newUntil = 0;

function paintSoon() {
  if (painting) return;
  const wait = paintedAt + PACE.chronicle - Date.now();
  if (wait > 0) painting = setTimeout(paint, wait);
  else paint();
}

function paint() {
  paintedAt = Date.now();
  painting = 0;
  const log = document.querySelector("#chronicle .chronicle");
  const fresh = document.createElement("template");
  fresh.innerHTML = lines.splice(0).join("");
  if (log) aroundLog(() => append(log, fresh.content));
}

// What is there already may read otherwise by now than it was told: it stays.
function append(log, fresh) {
  const last = lastIn(log);
  settleNew(log);
  for (const line of [...fresh.children]) {
    if (numberOf(line) <= last) continue;
    line.classList.add("new");
    log.append(line);
  }
  clearTimeout(newUntil);
  newUntil = setTimeout(settleNew, NEW_FOR, log);
}

function settleNew(log) {
  for (const line of log.querySelectorAll(".new")) line.classList.remove("new");
}

// The last lines as they read now. Older ones may read otherwise, too, and go; newer ones have come meanwhile.
function keyed(log, fresh) {
  const wanted = [...fresh.children];
  for (const card of document.querySelectorAll("#news .news")) if (fresh.querySelector(`#${card.dataset.line}.undone`)) card.remove();
  const kept = new Set(wanted.map((each) => each.id));
  const [first, last] = wanted.length ? [wanted[0], wanted.at(-1)].map(numberOf) : [0, 0];
  for (const own of [...log.children]) {
    if (kept.has(own.id) || numberOf(own) > last || own.contains(document.activeElement)) continue;
    own.remove();
    if (numberOf(own) < first) log.parentElement.querySelector(".earlier").hidden = false;
  }
  let place = [...log.children].find((each) => numberOf(each) >= first) ?? null;
  for (const line of wanted) {
    const own = document.getElementById(line.id);
    if (own === null) log.insertBefore(line, place);
    else {
      const same = own.className.replace(/ ?new$/, "") === line.className && own.textContent === line.textContent;
      place = own.nextElementSibling;
      if (!same) changeFor(own, line);
    }
  }
}

// The focus goes to the same link of the line as it reads now, or to its number.
function changeFor(own, line) {
  const focused = own.contains(document.activeElement) && (document.activeElement.getAttribute("href") ?? "");
  own.replaceWith(line);
  if (focused === false) return;
  const link = [...line.querySelectorAll("a")].find((each) => each.getAttribute("href") === focused);
  (link ?? line.querySelector(".by a:not(.undo)"))?.focus({ preventScroll: true });
}

function aroundLog(change) {
  const box = document.querySelector(".log-box");
  const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 48;
  const last = lastIn(box);
  change();
  if (atEnd) {
    shorten(box);
    box.scrollTop = box.scrollHeight;
  } else if (lastIn(box) !== last) offer(document.getElementById("chronicle"), table.dataset.new, () => (box.scrollTop = box.scrollHeight));
}

function shorten(box) {
  const lines = box.querySelectorAll(".chronicle > li");
  for (const line of [...lines].slice(0, -LINES_MAX)) if (!line.contains(document.activeElement)) line.remove();
  if (lines.length > LINES_MAX) box.querySelector(".earlier").hidden = false;
}

// ---- other panels ------------------------------------------------------------------------------------------------

const kept = {}; // by panel: what has to wait until nobody is in it

function put(panel, fresh) {
  const own = document.getElementById(panel);
  own.dataset.of = fresh.dataset.of;
  if (panel === "do" || panel === "waiting") announce(fresh);
  const at = document.activeElement;
  const heir = at !== own && own.contains(at) ? sameIn(fresh, at) : at;
  if (heir && !isDirty(own) && !table.dataset.here) {
    delete kept[panel];
    swap(own, fresh);
    if (heir !== at) heir.focus({ preventScroll: true });
  } else if (!alike(own, fresh)) {
    kept[panel] = fresh;
    offer(own, table.dataset.changed, () => settle(panel));
  }
}

// A link, button or summary as a panel has it now, where only one does and says the same. A form with fields is not
// renewed under somebody who is in it.
function sameIn(fresh, at) {
  if (!at.matches("a, button, summary") || at.form?.querySelector("input:not([type=hidden]), select, textarea")) return null;
  const same = [...fresh.querySelectorAll(at.localName)].filter((each) => nameOf(each) === nameOf(at));
  return same.length === 1 ? same[0] : null;
}

function nameOf(each) {
  if (each.matches("summary")) return each.textContent.replace(/[\d\s]+/g, ""); // with a count
  const said = [...(each.form ? new FormData(each.form) : [])].filter(([name]) => name !== "key" && name !== "choice");
  return [each.getAttribute("href")?.replace(/([?&])choice=[^&]*/, "$1"), each.form?.getAttribute("action"), each.value, ...said, each.textContent.trim()].join(" ");
}

// Whether a reader would see no difference: the keys of forms change with every action.
function alike(...panels) {
  const [one, other] = panels.map((each) => {
    const copy = each.cloneNode(true);
    copy.querySelectorAll("[name=key]").forEach((key) => key.removeAttribute("value"));
    return copy;
  });
  return one.isEqualNode(other);
}

function settle(panel) {
  if (table.dataset.here) { // what was entered in a form that was refused is no longer on the page
    history.replaceState(history.state, "", table.dataset.here);
    delete table.dataset.here;
  }
  const fresh = kept[panel];
  delete kept[panel];
  if (fresh) swap(document.getElementById(panel), fresh);
}

// The elements go in one by one, so that the panel itself, where it is scrolled to and what is open in it stay.
function swap(own, fresh) {
  const opened = [...own.querySelectorAll("details[open] > summary")].map((each) => each.textContent);
  const typed = [...own.querySelectorAll("form[id]")].flatMap((form) =>
    [...form.elements].filter((field) => isChanged(field) && (field.type !== "radio" || field.checked)).map((field) => [form.id, field.name, field.value, field.checked]));
  for (const form of own.querySelectorAll("form[id][data-key]")) fresh.querySelector(`#${form.id}`)?.replaceWith(form); // still being sent
  const focused = own.contains(document.activeElement) ? document.activeElement.id : "";
  own.replaceChildren(...fresh.childNodes);
  for (const each of own.querySelectorAll("details > summary")) if (opened.includes(each.textContent)) each.parentElement.open = true;
  for (const [form, name, value, checked] of typed) {
    const field = document.getElementById(form)?.elements.namedItem(name);
    if (field && "value" in field) Object.assign(field, { value, checked });
  }
  if (focused) (document.getElementById(focused) ?? own).focus({ preventScroll: true });
}

function isDirty(panel) {
  return [...panel.querySelectorAll("input, textarea, select")].some(isChanged);
}

function isChanged(field) {
  if (field instanceof HTMLSelectElement) return [...field.options].some((each) => each.selected !== each.defaultSelected && !each.disabled) && field.selectedIndex > 0;
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  return "defaultValue" in field && field.type !== "hidden" && field.value !== field.defaultValue;
}

function offer(panel, words, then) {
  panel.querySelector(":scope > .changed")?.remove();
  const button = Object.assign(document.createElement("button"), { type: "button", className: "changed", textContent: words });
  button.addEventListener("click", () => {
    button.remove();
    panel.focus({ preventScroll: true });
    then();
  });
  panel.querySelector("h2").after(button);
}

// What is pressed stays where it is until it is let go of: it would not be heard elsewhere.
const RELEASES = ["mouseup", "dragend"];
let isHeld = false;
addEventListener("mousedown", () => (isHeld = true), true);
for (const end of RELEASES) addEventListener(end, () => (isHeld = false), true);

document.addEventListener("focusout", ({ target, relatedTarget: to }) => {
  const panel = target.closest("[data-panel]");
  const isWithin = (at) => at !== panel && panel?.contains(at); // with the focus on the panel itself nobody is in it
  if (!panel || !kept[panel.id] || isWithin(to) || table.dataset.here) return;
  const leave = () => isWithin(document.activeElement) || isDirty(panel) || settle(panel.id);
  if (isHeld) for (const end of RELEASES) addEventListener(end, () => setTimeout(leave), { once: true }); // after its click
  else leave();
});
document.addEventListener("fieldlog:sent", (sent) => {
  const panel = sent.target.closest("[data-panel]");
  if (panel && kept[panel.id]) settle(panel.id);
});

// ---- whose turn it is --------------------------------------------------------------------------------------------

function awaitedIn(within) {
  return [...within.querySelectorAll("[data-awaited]")].map((each) => each.textContent.trim());
}

// Also in a tab out of sight: by how many answers, the first of them, and a spot on the icon.
function entitle() {
  const title = document.querySelector("title");
  title.textContent = `${awaited.length ? `(${awaited.length}) ${awaited[0]} · ` : ""}${title.dataset.plain}`;
  const address = awaited.length ? table.dataset.iconWaits : table.dataset.icon;
  const icon = document.querySelector("link[rel=icon]");
  if (icon.getAttribute("href") !== address) icon.setAttribute("href", address);
}

function announce(panel) {
  const now = awaitedIn(panel);
  const before = [...awaited];
  const added = now.filter((said) => {
    const nth = before.indexOf(said);
    if (nth >= 0) before.splice(nth, 1); // two may read alike
    return nth < 0;
  });
  awaited = now;
  entitle();
  if (added.length) turn.textContent = `${turn.dataset.told} ${added.join(" ")}`;
}

// ---- what others did to one's own characters ----------------------------------------------------------------------

const news = document.getElementById("news");
const NEWS_MAX = 3;

// The log is read aloud where it can be seen; where it cannot, the card is.
function bringNews(html, touches) {
  if (!news) return;
  const own = document.getElementById("sheets")?.dataset.of.split(" ").filter((word) => word.startsWith("sheet:")) ?? [];
  if (!touches.some((each) => own.includes(each))) return;
  const line = document.createElement("template");
  line.innerHTML = html;
  const told = line.content.querySelector("li.line:not(.unseen)");
  if (!told || told.querySelector(".by span")?.textContent === news.dataset.own) return;
  const card = news.querySelector("template").content.cloneNode(true);
  card.firstElementChild.dataset.line = told.id;
  card.firstElementChild.prepend(...told.childNodes);
  news.ariaLive = document.querySelector(".log-box")?.checkVisibility() ? "off" : "polite";
  news.prepend(card);
  [...news.querySelectorAll(".news")].slice(NEWS_MAX).forEach((each) => each.remove());
}

news?.addEventListener("click", ({ target }) => target.closest(".news > button")?.parentElement.remove());

// ---- an undo beside its line, whose script comes when somebody first asks for one ---------------------------------

function isAsked({ type, target, key, ctrlKey, altKey, metaKey, shiftKey }) {
  if (ctrlKey || altKey || metaKey || shiftKey) return false;
  return type === "click" ? target.closest("a[data-beside]") : key === "u" && target.closest(".line");
}

function fetchBeside(asked) {
  if (!isAsked(asked)) return;
  asked.preventDefault();
  for (const kind of ["click", "keydown"]) document.removeEventListener(kind, fetchBeside);
  const address = asked.target.closest("a[data-beside]")?.getAttribute("href");
  const target = () => (asked.target.isConnected ? asked.target : document.querySelector(`a[data-beside][href="${address}"]`));
  const again = () => target()?.dispatchEvent(new asked.constructor(asked.type, asked)); // a line may be another by now
  import(document.getElementById("beside").dataset.script).then(again, again); // without it the link leads to a page
}

if (document.getElementById("beside")) for (const kind of ["click", "keydown"]) document.addEventListener(kind, fetchBeside);

function toEnd() {
  const box = document.querySelector(".log-box");
  if (box) box.scrollTop = box.scrollHeight;
}

toEnd();
addEventListener("hashchange", toEnd); // on a phone the log is shown when its turn comes
open();
