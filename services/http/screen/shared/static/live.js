// Follows campaigns for all windows of a browser over one connection: of six, which is what a browser has to a
// service that speaks HTTP/1.1, five are left for forms. It runs in a worker that the windows share, under the name
// of their sign-in; where there is none, in each window for itself.
const GAP_MAX = 200; // a window that missed more reads everything again instead
const CAMPAIGNS_MAX = 10;
const SOON = 20; // milliseconds in which several windows come and go together
const AGAIN = 1000;
const AGAIN_REFUSED = 5000;
const ASK = 30_000; // whether a window is still there: one that was killed says nothing

const windows = new Map(); // by port: what it shows, and the seq it has come to
const heads = new Map(); // by followed campaign: the build, once it is told, and the seq it has come to
let source = null;
let address = "";
let due = 0;
let asking = 0;

export function join(port) {
  port.onmessage = ({ data }) => {
    if (data.isGone) windows.delete(port);
    else {
      const before = windows.get(port);
      if (data.isShown && !before?.isShown) windows.delete(port); // it is the last one now
      windows.set(port, { ...data, after: Math.max(data.after, before?.after ?? 0), isAsked: false });
      if (data.again) close();
      if (data.isShown && !before?.isShown) greet(port);
    }
    asking ||= setInterval(ask, ASK);
    settle(SOON);
  };
}

addEventListener("connect", ({ ports: [port] }) => join(port));

function ask() {
  for (const [port, window] of windows) {
    if (window.isAsked) windows.delete(port);
    else {
      window.isAsked = true;
      port.postMessage({ kind: "who" });
    }
  }
  settle(SOON);
}

// ---- the connection ----------------------------------------------------------------------------------------------

function settle(wait) {
  clearTimeout(due);
  due = setTimeout(follow, wait);
}

// What is followed goes on as long as it tells each window what it has not been told.
function follow() {
  const [{ feed, reader } = {}] = windows.values();
  const reached = new Map();
  const shown = new Set();
  for (const { campaign, after, isShown } of [...windows.values()].reverse()) {
    reached.set(campaign, Math.min(after, reached.get(campaign) ?? after));
    if (isShown) shown.add(campaign);
  }
  const hidden = [...reached.keys()].filter((each) => !shown.has(each));
  const followed = [...shown, ...hidden].slice(0, CAMPAIGNS_MAX).sort(); // where it was opened or shown last
  const others = hidden.slice(0, CAMPAIGNS_MAX).sort();
  const wanted = `${followed} beside ${others}`;
  const goesOn = source && wanted === address && followed.every((each) => isTold(each, reached.get(each)));
  if (goesOn) return;
  close();
  address = wanted;
  if (!windows.size) return;
  const query = new URLSearchParams([["reader", reader]]);
  for (const each of followed) {
    query.append("follow", `${each}:${reached.get(each)}`);
    heads.set(each, { build: null, seq: reached.get(each) });
  }
  for (const each of others) query.append("beside", each);
  source = new EventSource(`${feed}?${query}`);
  source.addEventListener("hello", ({ data }) => heard(data, begin));
  source.addEventListener("action", ({ data }) => heard(data, pass));
  source.addEventListener("names", ({ data }) => heard(data, rename));
  source.addEventListener("end", ({ data }) => heard(data, end));
  source.onerror = () => lose(source.readyState === EventSource.CLOSED);
}

function isTold(campaign, after) {
  const { seq } = heads.get(campaign);
  return seq <= after && after - seq <= GAP_MAX;
}

function close() {
  source?.close();
  source = null;
  heads.clear();
}

function lose(isRefused) {
  close();
  for (const port of windows.keys()) port.postMessage({ kind: "lost", isRefused });
  settle(isRefused ? AGAIN_REFUSED : AGAIN);
}

// ---- what is told ------------------------------------------------------------------------------------------------

// The first line says which campaign it is about; what is about all has none.
function heard(data, then) {
  const [campaign, told] = data.includes("\n") ? data.split("\n") : [null, data];
  then(JSON.parse(told), campaign);
}

// A window out of sight is told, too: its title says when the table waits for its reader.
function lookingAt(campaign) {
  return [...windows].filter(([, each]) => each.campaign === campaign);
}

function begin({ as_of, build }, campaign) {
  heads.get(campaign).build = build;
  for (const [port, window] of lookingAt(campaign)) {
    const missed = as_of - window.after > GAP_MAX ? as_of : 0;
    window.after = missed || window.after;
    port.postMessage({ kind: "hello", build, missed });
  }
  settle(SOON); // from further on, if no window needs what was missed
}

function greet(port) {
  const window = windows.get(port);
  const head = heads.get(window.campaign);
  if (source && head?.build && isTold(window.campaign, window.after)) port.postMessage({ kind: "hello", build: head.build, missed: 0 });
}

function pass(action, campaign) {
  heads.get(campaign).seq = action.seq;
  for (const [port, window] of lookingAt(campaign)) {
    if (action.seq <= window.after) continue;
    window.after = action.seq;
    port.postMessage({ kind: "action", action });
  }
}

function rename(_, campaign) {
  for (const [port] of lookingAt(campaign)) port.postMessage({ kind: "names" });
}

function end({ code }, campaign) {
  if (campaign === null && code !== "not_signed_in") return; // the connection is opened again
  for (const [port, each] of windows) if ([null, each.campaign].includes(campaign)) port.postMessage({ kind: "end", code });
  if (campaign === null) return;
  heads.get(campaign).seq = Infinity; // there is no window to which it tells what it has not been told
  settle(AGAIN_REFUSED);
}
