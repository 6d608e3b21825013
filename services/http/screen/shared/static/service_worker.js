// Keeps the pages that were read last, to be read without a connection. They belong to one sign-in: as soon as the
// service says that another one reads, or nobody, all are forgotten. `BUILD` comes before this script,
// and so does `CALLED`: the words of a call without contents, by language.
const BASE = new URL(".", location).pathname.slice(0, -1); // the path of its host below which the service lies
const PAGES = `fieldlog-pages${BASE}`;
const PARTS = `fieldlog-parts${BASE}`; // the styles and scripts of these pages, under names that never mean another content
const NOTE = `${BASE}/offline/note`; // beside the pages: who reads them, and since when there is no connection
const LIST = `${BASE}/offline`;
const MARKS = `${BASE}/offline/marks`;
const OLDEST = 7 * 24 * 3600 * 1000;
const PAGES_MAX = 100;
const CAMPAIGNS_MAX = 20;
const ASK_AGAIN = 60_000; // whether what is kept may still be read
const WAIT = 10_000; // for the service, where there is a kept page to read instead
const NOBODY = "-";
const AWAY = [502, 503, 504];
let forgotten = 0; // how often: what was asked for before is not kept any more
let turn = Promise.resolve();
let askedAt = 0;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(begin()));
self.addEventListener("message", (event) => {
  if (event.data === "forget") event.waitUntil(forget().then(() => event.source.postMessage("forgotten")));
  if (event.data === "ask") event.waitUntil(askMarks());
  if (event.data.keep) event.waitUntil(keepOpen(new URL(event.data.keep)));
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === "POST" && url.pathname === `${BASE}/sign-out`) event.waitUntil(forget());
  if (request.method !== "GET") return;
  if (url.pathname.startsWith(`${BASE}/static/`)) event.respondWith(part(request));
  else if (request.mode === "navigate" && !url.pathname.startsWith(`${BASE}/api/`)) event.respondWith(page(event, url));
});

self.addEventListener("push", (event) => event.waitUntil(notify(event.data)));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

// ---- answering ---------------------------------------------------------------------------------------------------

async function part(request) {
  return (await caches.match(request.url, { cacheName: PARTS })) ?? fetch(request);
}

async function page(event, url) {
  const before = forgotten;
  const own = await kept(url);
  let answer = null;
  try {
    answer = await reached(event.request, own !== null);
  } catch {
    // no connection
  }
  if (answer !== null && !AWAY.includes(answer.status)) {
    if (answer.headers.has("Fieldlog-Reader")) event.waitUntil(heard(url, answer.clone(), before));
    return answer;
  }
  const lostAt = await noteLost(before);
  if (own !== null && before === forgotten) return told(own, { lost: lostAt });
  if (answer !== null) return answer;
  const list = await kept(new URL(LIST, location.origin));
  return list === null || before !== forgotten ? Response.error() : told(list, { lost: lostAt, missing: url.pathname });
}

// The answer of the service, never one that the browser had before: it may be another's, or forgotten by now.
async function reached(request, isKept) {
  const stop = new AbortController();
  const timer = isKept ? setTimeout(() => stop.abort(), WAIT) : 0;
  try {
    return await fetch(request, { cache: "no-cache", signal: stop.signal });
  } finally {
    clearTimeout(timer);
  }
}

// A kept page that says of itself since when it is, and what else is `said`.
async function told(answer, said) {
  const attributes = Object.entries({ kept: answer.headers.get("Fieldlog-Kept-At"), ...said })
    .map(([name, value]) => `data-${name}="${String(value).replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`);
  const text = (await answer.text()).replace("<html ", () => `<html ${attributes.join(" ")} `);
  return new Response(text, { headers: answer.headers });
}

// ---- keeping -----------------------------------------------------------------------------------------------------

function inTurn(work) {
  turn = turn.then(work, work);
  return turn;
}

function keyOf(url) {
  const key = new URL(url);
  key.hash = "";
  key.searchParams.delete("done"); // what was done just now
  return key.href;
}

async function kept(url) {
  const found = await caches.match(keyOf(url), { cacheName: PAGES });
  return found && isYoung(found) ? found : null;
}

function isYoung(answer) {
  const age = Date.now() - Date.parse(answer.headers.get("Fieldlog-Kept-At"));
  return age >= 0 && age < OLDEST;
}

// What an answer says of its reader, and the page itself if it may be kept.
async function heard(url, answer, before) {
  const reader = answer.headers.get("Fieldlog-Reader");
  await inTurn(async () => {
    if (before !== forgotten) return;
    if (await isAnothers(reader)) await drop();
    if (reader === NOBODY) return;
    const pages = await caches.open(PAGES);
    await write(pages, { reader, lostAt: null });
    if (!answer.ok || !answer.headers.has("Fieldlog-Kept-As")) await pages.delete(keyOf(url));
    else {
      await keep(pages, keyOf(url), answer);
      await keepList(pages, answer.headers.get("Content-Language"));
    }
  });
  if (!answer.ok || Date.now() - askedAt > ASK_AGAIN) await askMarks();
}

async function keep(pages, key, answer) {
  const text = await answer.text();
  const headers = new Headers(answer.headers);
  for (const each of ["Content-Encoding", "Content-Length", "ETag"]) headers.delete(each);
  headers.set("Fieldlog-Kept-At", new Date().toISOString());
  headers.set("Fieldlog-Build", BUILD);
  headers.set("Fieldlog-Title", encodeURIComponent(text.match(/<title data-plain="([^"]*)"/)?.[1] ?? text.match(/<title>([^<]*)</)?.[1] ?? ""));
  headers.set("Fieldlog-Parts", partsOf(text).join(" "));
  const parts = await caches.open(PARTS);
  for (const each of partsOf(text)) if (!(await parts.match(each))) await parts.add(each);
  await pages.put(key, new Response(text, { headers }));
}

function partsOf(text) {
  return [...new Set([...text.matchAll(/"([\w/-]*\/static\/[\w.-]+)"/g)].map(([, path]) => path))];
}

// The list of what is kept, which is shown in the place of what is not.
async function keepList(pages, language) {
  const own = await pages.match(LIST);
  if (own?.headers.get("Fieldlog-Build") === BUILD && own.headers.get("Content-Language") === language) return;
  const answer = await fetch(LIST, { cache: "no-cache", headers: { Accept: "text/html" } });
  if (answer.headers.get("Fieldlog-Reader") === (await note()).reader) await keep(pages, keyOf(new URL(LIST, location.origin)), answer);
}

async function begin() {
  await self.clients.claim();
  keepAllOpen(); // which no page that is asked for meanwhile waits for
  await askMarks();
}

// Pages that are open by now may have come before there was a worker: none of them passed through it.
async function keepAllOpen() {
  const windows = await self.clients.matchAll({ type: "window" });
  await Promise.all(windows.map(({ url }) => keepOpen(new URL(url)).catch(() => {}))); // without a connection they are not kept
}

async function keepOpen(url) {
  const before = forgotten;
  const answer = await fetch(url, { cache: "no-cache", redirect: "manual", headers: { Accept: "text/html" } });
  if (answer.headers.has("Fieldlog-Reader")) await heard(url, answer, before);
}

// ---- forgetting --------------------------------------------------------------------------------------------------

function forget() {
  forgotten++; // at once, for what is on its way
  return inTurn(drop);
}

async function drop() {
  forgotten++;
  await Promise.all([PAGES, PARTS].map((each) => caches.delete(each)));
}

// Asks whether what is kept may still be read, and as what it is kept; then lets go what may not, or is too old.
async function askMarks() {
  const before = forgotten;
  askedAt = Date.now();
  const pages = await caches.open(PAGES);
  const campaigns = new Set((await pages.keys()).map(campaignOf).filter(Boolean));
  const asked = [...campaigns].slice(-CAMPAIGNS_MAX);
  let answer;
  try {
    answer = await fetch(`${MARKS}?${new URLSearchParams(asked.map((each) => ["campaign", each]))}`, { cache: "no-store" });
  } catch {
    return inTurn(() => letGo(pages, isYoung));
  }
  if (!answer.ok) return;
  const marks = await answer.json();
  await inTurn(async () => {
    if (before !== forgotten) return;
    if (await isAnothers(answer.headers.get("Fieldlog-Reader"))) return drop();
    await letGo(pages, (own, request) => {
      const campaign = campaignOf(request);
      const mark = own.headers.get("Fieldlog-Kept-As");
      return isYoung(own) && (!campaigns.has(campaign) || mark === marks[campaign]); // others came meanwhile
    });
  });
}

function campaignOf(request) {
  return new URL(request.url).pathname.slice(BASE.length).match(/^\/c\/([0-9a-f-]{36})(?=\/|$)/)?.[1] ?? null;
}

// Pages that do not stay go, and so do the oldest of too many, and the parts that none of the others has.
async function letGo(pages, stays) {
  const all = [];
  for (const request of await pages.keys()) {
    const own = await pages.match(request);
    if (new URL(request.url).pathname === NOTE) continue;
    if (stays(own, request)) all.push([Date.parse(own.headers.get("Fieldlog-Kept-At")), request, own]);
    else await pages.delete(request);
  }
  all.sort(([one], [other]) => other - one);
  for (const [, request] of all.splice(PAGES_MAX)) await pages.delete(request);
  const used = new Set(all.flatMap(([, , own]) => own.headers.get("Fieldlog-Parts").split(" ")));
  const parts = await caches.open(PARTS);
  for (const each of await parts.keys()) if (!used.has(new URL(each.url).pathname)) await parts.delete(each);
}

// ---- calls -------------------------------------------------------------------------------------------------------

// A call without contents, or one that cannot be read, is told all the same: browsers want something to be shown.
async function notify(data) {
  let call = {};
  try {
    call = data?.json() ?? {};
  } catch {
    // it is told as one without contents
  }
  const language = call.language ?? navigator.languages.map((each) => each.split("-")[0]).find((each) => each in CALLED) ?? "en";
  const path = call.path ?? "/";
  await self.registration.showNotification(call.title ?? "Fieldlog", { body: call.text ?? CALLED[language], lang: language, tag: path, renotify: true, data: path });
}

async function open(path) {
  const address = `${location.origin}${BASE}${path}`;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const own = windows.find(({ url }) => url.split(/[?#]/)[0] === address);
  return own ? own.focus() : self.clients.openWindow(address);
}

// The push service has given this browser another place: the service is told, if somebody is still signed in.
async function renew({ oldSubscription, newSubscription }) {
  const key = oldSubscription?.options.applicationServerKey ?? (await (await fetch(`${BASE}/api/accounts/me/devices`)).json()).public_key;
  const own = newSubscription ?? (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  const { endpoint, keys } = own.toJSON();
  await fetch(`${BASE}/account/devices`, { method: "POST", redirect: "manual", body: new URLSearchParams({ renewed: "yes", endpoint, ...keys }) });
}

// ---- the note ----------------------------------------------------------------------------------------------------

async function isAnothers(reader) {
  return ![reader, null].includes((await note()).reader);
}

async function note() {
  const found = await caches.match(NOTE, { cacheName: PAGES });
  return found ? found.json() : { reader: null, lostAt: null };
}

function write(pages, said) {
  return pages.put(NOTE, new Response(JSON.stringify(said)));
}

function noteLost(before) {
  return inTurn(async () => {
    const said = await note();
    const lostAt = said.lostAt ?? new Date().toISOString();
    if (before === forgotten && said.reader !== null && said.lostAt === null) await write(await caches.open(PAGES), { ...said, lostAt });
    return lostAt;
  });
}
