// Keeps an open table up to date: follows the live feed, adds new lines, and asks again for the panels it touches.
const table = document.getElementById("table");
const state = document.getElementById("line");
const turn = document.getElementById("turn");
const PACE = { chronicle: 250, boards: 250, sheets: 250, do: 1000, dice: 1000, waiting: 1000, time: 1000, hidden: 1000 };
// milliseconds between two requests at least
const GAP_MAX = 200;
const LINES_MAX = 150; // of the log, as long as it is followed at its end
const AGAIN_AFTER = 5000;
const OFFLINE_AFTER = 10000;

let reached = Number(table.dataset.seq);
let build = table.dataset.build; // of the service that this page came from
let source = null;
let lostAt = null;
let awaited = awaitedIn(document);

// ---- the line to the service -------------------------------------------------------------------------------------

function open() {
  if (source || document.hidden) return;
  source = new EventSource(`${table.dataset.feed}&after=${reached}`);
  source.addEventListener("hello", (told) => {
    const { as_of: head, after, build: now } = JSON.parse(told.data);
    const isFar = head - after > GAP_MAX;
    lostAt = null;
    show("live");
    if (isFar || now !== build) Object.keys(PACE).forEach((panel) => refresh(panel, true));
    build = now;
    if (isFar) {
      reached = head;
      close();
      open();
    }
  });
  source.addEventListener("action", (told) => follow(JSON.parse(told.data)));
  source.addEventListener("end", (told) => {
    if (["not_signed_in", "campaign_not_found"].includes(JSON.parse(told.data).code)) {
      close();
      show("over");
    }
  });
  source.onerror = () => {
    lostAt ??= Date.now();
    show(navigator.onLine && Date.now() - lostAt < OFFLINE_AFTER ? "reconnecting" : "offline");
    if (source?.readyState === EventSource.CLOSED) {
      close();
      setTimeout(open, AGAIN_AFTER);
    }
  };
}

function close() {
  source?.close();
  source = null;
}

function show(what) {
  const sign = { live: "●", reconnecting: "◌", offline: "○", over: "○" }[what];
  const since = new Date(lostAt ?? Date.now()).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const said = `${sign} ${state.dataset[what].replace("…", since)}`;
  if (state.textContent !== said) state.textContent = said;
  state.className = `small ${what}`;
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) close();
  else open();
});
addEventListener("pagehide", close);
addEventListener("pageshow", open);
addEventListener("offline", () => {
  lostAt ??= Date.now();
  show("offline");
});
addEventListener("online", () => {
  close();
  open();
});

// ---- what an action touches --------------------------------------------------------------------------------------

function follow(action) {
  reached = Math.max(reached, action.last_seq);
  const touched = (...words) =>
    action.touches.some((each) => each === "everything" || words.some((word) => each === word || each.startsWith(`${word}:`)));
  refresh("chronicle", touched("chronicle"));
  if (touched("sheets", "sheet")) refresh("sheets");
  if (touched("boards", "board")) refresh("boards");
  if (touched("commands", "members")) ["do", "waiting"].forEach((panel) => refresh(panel));
  if (touched("timers", "calendar", "commands")) refresh("time");
  if (touched("campaign")) refresh("dice"); // whose dice count may have changed
  refresh("hidden");
}

const waiting = {}; // by panel: when it was asked for last, whether it is asked for, and what of it

function refresh(panel, whole = panel !== "chronicle") {
  if (!document.getElementById(panel)) return; // another page has it
  const own = (waiting[panel] ??= { at: 0, timer: 0, busy: false, whole: false, wanted: false });
  own.wanted = true;
  own.whole ||= whole;
  if (!own.timer && !own.busy) own.timer = setTimeout(() => ask(panel, own), Math.max(0, own.at + PACE[panel] - Date.now()));
}

async function ask(panel, own) {
  const whole = own.whole;
  Object.assign(own, { at: Date.now(), timer: 0, busy: true, whole: false, wanted: false });
  const log = document.querySelector("#chronicle .chronicle");
  const after = whole ? "" : `?after=${lastIn(log)}`;
  try {
    const answer = await fetch(`${table.dataset.path}/${panel}${after}`, { credentials: "same-origin" });
    if (answer.redirected) {
      close(); // to where one signs in
      show("over");
    } else if (answer.ok) {
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").body;
      if (panel !== "chronicle") put(panel, fresh.firstElementChild);
      else if (whole) aroundLog(() => keyed(log, fresh.querySelector(".chronicle")));
      else aroundLog(() => append(log, fresh));
    } else if (answer.status === 401 || answer.status === 404) {
      show("over");
    }
  } catch {
    own.wanted = true; // the connection is lost: ask again when the pace allows
    own.whole ||= whole;
  }
  own.busy = false;
  if (own.wanted) refresh(panel, own.whole);
}

// ---- the log -----------------------------------------------------------------------------------------------------

function lastIn(log) {
  const lines = log.querySelectorAll("li[id^=a]");
  return lines.length ? Number(lines[lines.length - 1].id.slice(1)) : 0;
}

function append(log, fresh) {
  for (const line of [...fresh.children]) {
    if (document.getElementById(line.id)) continue;
    line.classList.add("new");
    log.append(line);
  }
}

function keyed(log, fresh) {
  let place = log.firstElementChild;
  for (const line of [...fresh.children]) {
    const own = document.getElementById(line.id);
    if (own === null) log.insertBefore(line, place);
    else {
      const same = own.className.replace(/ ?new$/, "") === line.className && own.textContent === line.textContent;
      if (own === place) place = place.nextElementSibling;
      if (!same && !own.contains(document.activeElement)) own.replaceWith(line);
    }
  }
  while (place && !place.contains(document.activeElement)) {
    const next = place.nextElementSibling;
    place.remove();
    place = next;
  }
}

function aroundLog(change) {
  const box = document.querySelector(".log-box");
  const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 48;
  const last = lastIn(box);
  change();
  localTimes(box);
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

function localTimes(within) {
  for (const each of within.querySelectorAll("time[data-local]")) {
    each.textContent = new Date(each.dateTime).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    each.removeAttribute("data-local");
  }
}

// ---- other panels ------------------------------------------------------------------------------------------------

const kept = {}; // by panel: what has to wait until nobody is in it

function put(panel, fresh) {
  const own = document.getElementById(panel);
  if (panel === "do" || panel === "waiting") announce(fresh);
  if (!own.contains(document.activeElement) && !isDirty(own)) {
    delete kept[panel];
    swap(own, fresh);
  } else if (!alike(own, fresh)) {
    kept[panel] = fresh;
    offer(own, table.dataset.changed, () => settle(panel));
  }
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
  const fresh = kept[panel];
  delete kept[panel];
  if (fresh) swap(document.getElementById(panel), fresh);
}

// The elements go in one by one, so that the panel itself, where it is scrolled to and what is open in it stay.
function swap(own, fresh) {
  const opened = [...own.querySelectorAll("details[open] > summary")].map((each) => each.textContent);
  const typed = [...own.querySelectorAll("form[id]")].flatMap((form) =>
    [...form.elements].filter(isChanged).map((field) => [form.id, field.name, field.value, field.checked]));
  const focused = own.contains(document.activeElement) ? document.activeElement.id : "";
  own.replaceChildren(...fresh.childNodes);
  for (const each of own.querySelectorAll("details > summary")) if (opened.includes(each.textContent)) each.parentElement.open = true;
  for (const [form, name, value, checked] of typed) {
    const field = document.getElementById(form)?.elements.namedItem(name);
    if (field && "value" in field) Object.assign(field, { value, checked });
  }
  if (focused) (document.getElementById(focused) ?? own).focus({ preventScroll: true });
  localTimes(own);
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

table.addEventListener("focusout", (left) => {
  const panel = left.target.closest("[data-panel]");
  if (!panel || !kept[panel.id] || panel.contains(left.relatedTarget) || isDirty(panel)) return;
  settle(panel.id);
});
document.addEventListener("fieldlog:sent", (sent) => {
  const panel = sent.target.closest("[data-panel]");
  if (panel && kept[panel.id]) settle(panel.id);
});

// ---- whose turn it is --------------------------------------------------------------------------------------------

function awaitedIn(within) {
  return new Set([...within.querySelectorAll("[data-awaited]")].map((each) => each.textContent.trim()));
}

function announce(panel) {
  const now = awaitedIn(panel);
  const added = [...now].filter((said) => !awaited.has(said));
  awaited = now;
  if (added.length) turn.textContent = `${turn.dataset.told} ${added.join(" ")}`;
}

function toEnd() {
  const box = document.querySelector(".log-box");
  box.scrollTop = box.scrollHeight;
}

localTimes(document);
toEnd();
addEventListener("hashchange", toEnd); // on a phone the log is shown when its turn comes
open();
