// Goes along the line of time: the page's content is read again as it was, and put in the place of what is shown.
const line = document.getElementById("time");
const slider = document.getElementById("moment");
const told = document.getElementById("moment-told");
const PAUSE = 100; // between two requests: at most ten in a second
const PACE = 1600; // for one action, at the speed of one
const AGAIN = 1000; // after a refusal that passes, or without a connection
let shown = location.pathname + location.search; // what the page shows
let wanted = null; // where it is to go, if that is another
let ahead = Number(line.dataset.at); // where its reader is, who may be ahead of what is shown
let reading = false;
let last = 0;
let playing = 0; // until which seq
let timer = 0;

// ---- reading -----------------------------------------------------------------------------------------------------

function go(address, at) {
  wanted = address;
  ahead = at ?? ahead;
  if (!reading) read();
}

async function read() {
  reading = true;
  while (wanted !== null) {
    await passed(last + PAUSE - performance.now());
    const address = wanted;
    last = performance.now();
    const page = await fetched(address);
    if (page === null) {
      await passed(AGAIN);
      continue;
    }
    if (wanted === address) wanted = null; // else there is another by now, and this one is shown meanwhile
    put(page, address);
  }
  reading = false;
  document.dispatchEvent(new CustomEvent("fieldlog:moment"));
}

async function fetched(address) {
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" }, credentials: "same-origin" });
    if (answer.status === 429 || answer.status >= 500) return null;
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    return null;
  }
}

function passed(span) {
  return new Promise((done) => setTimeout(done, Math.max(0, span)));
}

// ---- showing -----------------------------------------------------------------------------------------------------

function put(page, address) {
  const fresh = page.getElementById("time");
  const content = page.getElementById("then");
  if (!fresh || !content) {
    location.assign(address); // signed out meanwhile, for one
    return;
  }
  const before = new Map([...document.querySelectorAll("#then .why")].map((each) => [value(each), each.textContent]));
  putLine(fresh);
  putContent(content);
  for (const each of document.querySelectorAll("#then .why")) {
    const known = before.get(value(each));
    if (known !== undefined && known !== each.textContent) each.classList.add("moved");
  }
  document.title = page.title;
  shown = canonical(address);
  history.replaceState(history.state, "", shown);
  if (wanted === null) {
    ahead = Number(line.dataset.at);
    slider.value = ahead;
    slider.setAttribute("aria-valuetext", fresh.querySelector("#moment").getAttribute("aria-valuetext"));
    if (document.activeElement !== slider) told.textContent = slider.getAttribute("aria-valuetext");
  }
}

function putLine(fresh) {
  line.className = fresh.className;
  for (const name of Object.keys(line.dataset)) line.dataset[name] = fresh.dataset[name];
  slider.max = fresh.querySelector("#moment").max;
  const opened = line.querySelector("details").open;
  for (const own of line.querySelectorAll("[data-part]")) {
    const other = fresh.querySelector(`[data-part="${own.dataset.part}"]`);
    const focused = own.contains(document.activeElement);
    own.replaceWith(other);
    if (focused) (other.matches("a") ? other : other.querySelector("a, summary") ?? slider).focus({ preventScroll: true });
  }
  line.querySelector("details").open = opened;
  setUp();
}

function putContent(content) {
  const own = document.getElementById("then");
  const opened = [...own.querySelectorAll("details[open] > summary")].map((each) => each.textContent);
  const focused = own.contains(document.activeElement);
  own.className = content.className;
  own.replaceChildren(...content.childNodes);
  for (const each of own.querySelectorAll("details > summary")) if (opened.includes(each.textContent)) each.parentElement.open = true;
  if (focused) own.focus({ preventScroll: true });
}

// Which value of the sheet a link explains, at whatever moment.
function value(link) {
  return new URL(link.href).searchParams.get("path");
}

// The address by the end of the action that is shown, so that it means the same tomorrow.
function canonical(address) {
  const url = new URL(address, location.href);
  url.searchParams.delete("near");
  url.searchParams.delete("at");
  if (line.classList.contains("past")) url.searchParams.set("at", line.dataset.at);
  return url.pathname + url.search;
}

// ---- ways along it -----------------------------------------------------------------------------------------------

function address(name, seq) {
  const query = new URLSearchParams(seq === null ? {} : { [name]: seq });
  if (line.dataset.pin) query.set("pin", line.dataset.pin);
  return line.dataset.here + (query.size ? `?${query}` : "");
}

// The actions around what is shown, as far as the page knows them.
function steps() {
  return line.dataset.steps.split(" ").filter(Boolean).map((each) => {
    const [, first, end, undone] = each.match(/^(\d+):(\d+)(-?)$/);
    return { first: Number(first), last: Number(end), undone: Boolean(undone) };
  });
}

function step(by, { undone = false } = {}) {
  const all = steps().filter((each) => undone || !each.undone);
  const next = by > 0 ? all.find((each) => each.last > ahead) : all.findLast((each) => each.last < ahead);
  if (next) toStep(next);
  else follow(by > 0 ? ".on" : ".back"); // beyond what the page knows
}

function toStep({ first, last: end }) {
  slider.value = end;
  slider.setAttribute("aria-valuetext", line.dataset.action.replace("#", first));
  go(end === Number(line.dataset.head) ? address("at", null) : address("at", end), end);
}

function follow(selector) {
  const link = line.querySelector(`a${selector}`);
  if (link && wanted === null) go(link.getAttribute("href"));
}

function toNow() {
  go(address("at", null), Number(line.dataset.head));
}

const AT_SLIDER = {
  ArrowLeft: (alt) => step(-1, { undone: alt }),
  ArrowDown: (alt) => step(-1, { undone: alt }),
  ArrowRight: (alt) => step(1, { undone: alt }),
  ArrowUp: (alt) => step(1, { undone: alt }),
  PageUp: () => follow(".last-step"),
  PageDown: () => follow(".first-step"),
  Home: () => go(address("near", 1), 1),
  End: toNow,
};

slider.addEventListener("keydown", (pressed) => {
  if (pressed.ctrlKey || pressed.metaKey || !Object.hasOwn(AT_SLIDER, pressed.key)) return;
  pressed.preventDefault();
  stop();
  AT_SLIDER[pressed.key](pressed.altKey);
});
slider.addEventListener("input", () => {
  stop();
  slider.setAttribute("aria-valuetext", line.dataset.action.replace("#", slider.value));
  go(slider.value === slider.max ? address("at", null) : address("near", slider.value), Number(slider.value));
});
line.addEventListener("click", (clicked) => {
  const link = clicked.target.closest("a");
  if (!link || link.pathname !== line.dataset.here || clicked.ctrlKey || clicked.metaKey || clicked.shiftKey) return;
  clicked.preventDefault();
  stop();
  go(link.getAttribute("href"));
});

// ---- keys of the whole page --------------------------------------------------------------------------------------

const NAME = "fieldlog-single-keys"; // kept in this browser, for the table's keys, too

function areOn() {
  try {
    return localStorage.getItem(NAME) !== "off";
  } catch {
    return true;
  }
}

function setUp() {
  document.getElementById("single-keys").checked = areOn();
}

line.addEventListener("change", (changed) => {
  if (changed.target.id !== "single-keys") return;
  try {
    localStorage.setItem(NAME, changed.target.checked ? "on" : "off");
  } catch {
    // holds for this page then
  }
});
document.addEventListener("keydown", (pressed) => {
  if (pressed.ctrlKey || pressed.metaKey || pressed.defaultPrevented) return;
  if (pressed.target.closest("input:not([type=range], [type=checkbox]), textarea, select, [contenteditable], dialog")) return;
  if (pressed.key === "Escape" && line.classList.contains("past")) toNow();
  else if (pressed.key === "[" && areSingle()) step(-1);
  else if (pressed.key === "]" && areSingle()) step(1);
  else return;
  pressed.preventDefault();
  stop();
});

function areSingle() {
  return document.getElementById("single-keys").checked;
}

// ---- playing -----------------------------------------------------------------------------------------------------

const play = document.getElementById("play");
const button = play.querySelector("button");
const speed = play.querySelector("select");

function start() {
  label(button.dataset.stop, "■");
  if (line.classList.contains("past")) {
    playing = Number(line.dataset.until);
    step(1);
  } else {
    playing = Infinity; // until the session that is gone to is known
    go(address("near", line.dataset.began));
  }
}

function stop() {
  playing = 0;
  clearTimeout(timer);
  label(button.dataset.play, "▶");
}

function label(word, sign) {
  button.querySelector(".word").textContent = word;
  button.querySelector(".sign").textContent = sign;
}

function goOn() {
  if (!playing) return;
  if (playing === Infinity) playing = Number(line.dataset.until);
  if (ahead >= playing || !line.classList.contains("past")) stop();
  else timer = setTimeout(() => step(1), PACE / Number(speed.value));
}

document.addEventListener("fieldlog:moment", goOn);
button.addEventListener("click", () => (playing ? stop() : start()));
play.hidden = false;
setUp();
