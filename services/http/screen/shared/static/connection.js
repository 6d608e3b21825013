// Says where there is no connection, has pages kept to be read without one, and loses nothing that is to be sent.
const strip = document.getElementById("offline");
const root = document.documentElement;
const { kept, lost, missing, reader } = root.dataset; // the first three are said by the service worker
const words = document.getElementById("sent")?.dataset; // of what is sent in place
const AGAIN = 10_000;
const MINUTE = 60_000;
const DRAFTS = "fieldlog-draft ";
const PAUSES = [500, 1000, 2000, 4000];
const PLACES = { en: "en-GB" }; // whose dates are written
const readAt = kept ?? new Date(performance.timeOrigin).toISOString();
const isFollowed = document.getElementById("table") !== null && !kept; // the page says it itself
const worker = navigator.serviceWorker; // only where browsers trust the connection

const at = (path) => new URL(`../${path}`, import.meta.url); // this script is one folder below the service's first page
const told = (moment, form) => new Date(moment).toLocaleString(PLACES[root.lang] ?? root.lang, { timeZone: root.dataset.zone, ...form });
const day = (moment) => told(moment, { dateStyle: "long", timeStyle: "short", hourCycle: "h23" });
const clock = (moment) => told(moment, { timeStyle: "short", hourCycle: "h23" });

// ---- the strip ---------------------------------------------------------------------------------------------------

function show(since) {
  if (isFollowed || (missing && !since)) return;
  const { since: none, asOf, still, back } = strip.dataset;
  const sentences = since ? [none.replace("…", clock(since))] : [back];
  if (!missing) sentences.push(asOf.replace("…", day(readAt)));
  if (since) sentences.push(still);
  strip.querySelector("[role=status]").textContent = sentences.join(" ");
  strip.querySelector("a").href = missing ?? location.href;
  strip.hidden = false;
}

async function isBack() {
  try {
    return (await fetch(at("health/live"), { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

async function lookAgain() {
  if (!document.hidden && (await isBack())) show(null);
  else setTimeout(lookAgain, AGAIN);
}

if (kept) {
  show(lost);
  setTimeout(lookAgain, AGAIN);
  for (const each of document.querySelectorAll('form[method="post"] :is(button, input, select, textarea), button[form]')) each.disabled = true;
} else if (!navigator.onLine) show(new Date().toISOString());
addEventListener("offline", () => !kept && show(new Date().toISOString()));
addEventListener("online", () => {
  if (kept) lookAgain();
  else strip.hidden = true;
});

// ---- drafts ------------------------------------------------------------------------------------------------------

// A draft belongs to the sign-in that wrote it: all others go, and every one of them when its reader signs out.
function dropDrafts(own) {
  try {
    Object.keys(localStorage).filter((name) => name.startsWith(DRAFTS) && !(own && name.startsWith(own))).forEach((name) => localStorage.removeItem(name));
  } catch { /* without storage there are none */ }
}

dropDrafts(`${DRAFTS}${reader} `);
document.addEventListener("submit", ({ target }) => {
  if (new URL(target.action).pathname === at("sign-out").pathname) dropDrafts(null);
});

// ---- sending -----------------------------------------------------------------------------------------------------

// What is entered stays: a browser would leave the page for one that says it has no connection.
document.addEventListener("submit", (submitted) => {
  if (submitted.target.method !== "post" || isInPlace(submitted.target) || (navigator.onLine && !kept)) return;
  submitted.preventDefault();
  show(lost ?? new Date().toISOString());
});

// Forms with `data-act` are sent in place: with a key of their own, again for a minute while there is no connection.
function isInPlace(form) {
  return words !== undefined && form.matches("[data-act]");
}

function newKey() {
  // `crypto.randomUUID` is missing where a page came over plain HTTP.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");
}

// The second click of a double click and a key that is held down send nothing: what comes of the first is not seen yet.
document.addEventListener("click", (clicked) => {
  const button = clicked.target.closest("button");
  if (clicked.detail > 1 && button?.form?.method === "post" && isActing(button)) clicked.preventDefault();
});
document.addEventListener("keydown", (pressed) => {
  if (pressed.key === "Enter" && pressed.repeat && pressed.target.form?.method === "post" && !pressed.target.matches("textarea")) pressed.preventDefault();
});

// Dice and rows are added as often as one clicks.
function isActing(button) {
  return button.type === "submit" && (button.name !== "do" || ["act", "save"].includes(button.value.split(":")[0]));
}

const sending = new Set(); // forms on their way
const keys = new Map(); // by what is said: that of what has no answer yet, whichever form says it
const unsent = new Set(); // those of what has to be sent again

document.addEventListener("submit", async (submitted) => {
  const form = submitted.target;
  if (!isInPlace(form) || submitted.defaultPrevented) return;
  submitted.preventDefault();
  if (sending.has(form)) return;
  const body = new URLSearchParams(new FormData(form, submitted.submitter));
  body.delete("key"); // it has one of its own
  if (form.dataset.inPlace) body.set("next", form.dataset.inPlace); // what is to be shown there afterwards
  const said = `${form.action}?${body}`;
  const key = keys.get(said) ?? newKey();
  if (form.dataset.key !== key) unsent.delete(form.dataset.key); // it says something else now
  keys.set(said, key);
  form.dataset.key = key;
  sending.add(form);
  form.setAttribute("aria-busy", "true");
  tell(form, words.sent);
  const answer = await send(form, body);
  sending.delete(form);
  form.removeAttribute("aria-busy");
  if (answer === null) {
    tell(form, words.unknown, "bad"); // the same key again: asking again is free
    return;
  }
  unsent.delete(key);
  if (keys.get(said) === key) keys.delete(said);
  delete form.dataset.key;
  if (answer.type === "opaqueredirect" || answer.ok || answer.redirected) {
    if (!form.dataset.inPlace) form.reset();
    tell(form, words.done);
    form.dispatchEvent(new CustomEvent("fieldlog:sent", { bubbles: true, detail: answer.ok ? await answer.text() : "" }));
  } else if (answer.status === 401) {
    tell(form, words.over, "bad");
  } else {
    const page = await answer.text();
    const refused = new CustomEvent("fieldlog:refused", { bubbles: true, cancelable: true, detail: page });
    if (form.dispatchEvent(refused)) tell(form, reason(page) || words.refused, "bad");
  }
});

async function send(form, body) {
  const until = Date.now() + MINUTE;
  for (let nth = 0; ; nth++) {
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        body,
        redirect: form.dataset.inPlace ? "follow" : "manual",
        credentials: "same-origin",
        headers: { Accept: "text/html", "Idempotency-Key": form.dataset.key },
        signal: AbortSignal.timeout(until - Date.now()),
      });
      if (answer.status < 500) return answer;
    } catch {
      // no connection
    }
    unsent.add(form.dataset.key);
    const pause = PAUSES[Math.min(nth, PAUSES.length - 1)];
    if (Date.now() + pause > until) return null;
    tell(form, words.again);
    await new Promise((passed) => setTimeout(passed, pause));
  }
}

// What is not sent yet goes with its page. Not every browser asks by itself before it leaves one.
document.addEventListener("click", (clicked) => {
  const link = clicked.target.closest("a[href]");
  if (!link || !unsent.size || clicked.defaultPrevented || clicked.ctrlKey || clicked.metaKey || clicked.shiftKey) return;
  if (link.target || link.href.split("#")[0] === location.href.split("#")[0]) return; // it does not leave the page
  if (confirm(words.leave)) unsent.clear();
  else clicked.preventDefault();
});
addEventListener("beforeunload", (left) => unsent.size && left.preventDefault());

function reason(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  return (page.querySelector("main [role=alert]") ?? page.querySelector("main p"))?.textContent.trim();
}

function tell(form, text, kind = "") {
  const place = form.querySelector("[data-told]");
  if (!place) return;
  place.textContent = text;
  place.className = kind ? "error" : "small";
}

// ---- whose page it is --------------------------------------------------------------------------------------------

// A page that a browser shows again by itself, as it was left: somebody else may be signed in by now.
addEventListener("pagehide", (left) => {
  if (left.persisted) document.body.hidden = true;
});
addEventListener("pageshow", async (shown) => {
  if (!shown.persisted) return;
  renewKeys();
  try {
    const answer = await fetch(location.href, { method: "HEAD", redirect: "manual", headers: { Accept: "text/html" } });
    if (answer.headers.get("Fieldlog-Reader") !== reader) throw reader;
    document.body.hidden = false;
  } catch {
    location.reload();
  }
});

// Whoever goes back and presses a button once more wants that done once more. The form of a command asks about itself.
function renewKeys() {
  for (const key of document.querySelectorAll('form[action*="/do/"]:not([data-command]) [name=key]')) key.value = newKey();
}

if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") renewKeys();

// ---- where one is ------------------------------------------------------------------------------------------------

// Rows that are longer than the screen is wide begin with the page that is shown.
for (const current of document.querySelectorAll(".tabs [aria-current]")) {
  const row = current.closest("nav");
  const [own, room] = [current, row].map((each) => each.getBoundingClientRect());
  row.scrollLeft += Math.max(0, own.right - room.right) + Math.min(0, own.left - room.left);
}

// ---- what is kept ------------------------------------------------------------------------------------------------

async function list() {
  const own = document.getElementById("kept-pages");
  document.getElementById("not-kept").hidden = !missing;
  document.getElementById("insecure").hidden = Boolean(worker);
  if (!worker) return;
  const pages = await caches.open(`fieldlog-pages${at("").pathname.slice(0, -1)}`);
  const found = [];
  for (const request of await pages.keys()) {
    const { headers } = await pages.match(request);
    const { pathname, search } = new URL(request.url);
    if (pathname.startsWith(at("c/").pathname)) found.push({ path: pathname + search, at: headers.get("Fieldlog-Kept-At"), title: headers.get("Fieldlog-Title") });
  }
  found.sort((one, other) => (one.at < other.at ? 1 : -1));
  document.getElementById("kept").replaceChildren(...found.map(({ path, at, title }) => {
    const link = Object.assign(document.createElement("a"), { href: path });
    link.textContent = new DOMParser().parseFromString(decodeURIComponent(title), "text/html").body.textContent.replace(/ · Fieldlog$/, "");
    const when = Object.assign(document.createElement("span"), { className: "small muted", textContent: own.dataset.keptOn.replace("…", day(at)) });
    const line = document.createElement("li");
    line.append(link, when);
    return line;
  }));
  document.getElementById("nothing").hidden = found.length > 0;
  document.getElementById("forget").hidden = found.length === 0;
}

if (document.getElementById("kept-pages")) {
  list();
  document.getElementById("forget").addEventListener("click", () => worker.controller?.postMessage("forget"));
  worker?.addEventListener("message", list);
}
if (worker && !kept) {
  try {
    await worker.register(at("service-worker.js"), { updateViaCache: "none" });
    const { active } = await worker.ready;
    if (!worker.controller) active.postMessage({ keep: location.href }); // it came before there was one
  } catch {
    // a browser that keeps nothing, as in a private window
  }
}
