// Says how far a long search is, and shows what it found: in place of the page, or of an undo beside its line.
const searching = document.getElementById("searching");

async function follow(address, heard, request) {
  const answer = await fetch(address, { headers: { Accept: "text/event-stream" }, credentials: "same-origin", ...request });
  if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) throw new Error("no events"); // signed out, for one
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const [, kind, data] = event.match(/^event: (\w+)\ndata: (.*)$/) ?? [];
      if (kind) heard[kind](JSON.parse(data));
    }
  }
}

function hearing(place, answer) {
  const [bar, said] = [place.querySelector("progress"), place.querySelector("[role=status]")];
  const told = (place.matches("[data-progress]") ? place : place.querySelector("[data-progress]")).dataset.progress;
  return {
    progress(data) {
      Object.assign(bar, { max: data.of, value: data.searched });
      said.textContent = told.replace("##", data.of).replace("#", data.searched);
    },
    problem(data) {
      said.textContent = data.detail;
    },
    answer,
  };
}

function goTo(heading) {
  heading.tabIndex = -1;
  heading.focus();
}

function show(data) {
  const page = new DOMParser().parseFromString(data, "text/html");
  document.querySelector("main").replaceWith(page.querySelector("main"));
  goTo(document.querySelector("h1"));
}

if (searching) {
  // Without a connection the link that waits is still there after loading the page again.
  follow(location.href, hearing(searching, show)).catch(() => location.assign(`${location.pathname}${location.search ? `${location.search}&` : "?"}wait=yes`));
}

// ---- beside a line -------------------------------------------------------------------------------------------------

const GAP = 8;
const ROOM = 320; // less than this beside a line is too narrow
let flight = null;
let about = null; // the id of the line

const dialog = () => document.getElementById("beside"); // on a page that goes through time it comes and goes
const piece = () => dialog().querySelector(".piece");

function look(link) {
  piece().replaceChildren(dialog().querySelector("template").content.cloneNode(true));
  const line = link.closest(".line");
  about = line.id;
  line.classList.add("about");
  stand(line.getBoundingClientRect());
  dialog().addEventListener("close", leave, { once: true });
  dialog().showModal();
  flight = new AbortController();
  const { signal } = flight;
  const address = `${link.getAttribute("href")}?piece=yes`;
  follow(address, hearing(piece(), put), { signal }).catch(() => signal.aborted || location.assign(link.href));
}

// On the side of the line that has more room; where neither has enough, the stylesheet says where.
function stand({ left, right }) {
  const isBefore = left > innerWidth - right;
  const room = (isBefore ? left : innerWidth - right) - 2 * GAP;
  dialog().classList.toggle("aside", room >= ROOM);
  dialog().style.setProperty("--room", `${room}px`);
  dialog().style.setProperty("--left", isBefore ? "auto" : `${right + GAP}px`);
  dialog().style.setProperty("--right", isBefore ? `${innerWidth - left + GAP}px` : "auto");
}

function put(html) {
  piece().innerHTML = html;
  goTo(piece().querySelector("h2"));
}

function leave() {
  flight.abort();
  const line = document.getElementById(about); // another one by now, if it came to read otherwise meanwhile
  line?.classList.remove("about");
  const at = document.activeElement; // the browser gives it back to a link that is still there
  if (at === document.body || dialog().contains(at)) line?.querySelector(".by a:not(.undo)").focus({ preventScroll: true });
}

// The bar comes with the first news of a search that takes long.
async function send(form) {
  form.setAttribute("aria-busy", "true");
  let told = null;
  const bar = () => (told ??= hearing(form.appendChild(document.querySelector("template.looking").content.querySelector("[data-progress]").cloneNode(true))));
  const answer = (data) => (typeof data === "string" ? (dialog() ? put : show)(data) : done(data.at));
  const heard = { progress: (data) => bar().progress(data), problem: (data) => bar().problem(data), answer };
  await follow(form.action, heard, { method: "POST", body: new URLSearchParams(new FormData(form)) });
}

function done(path) {
  if (!dialog()) return location.assign(path);
  dialog().close();
  if (document.getElementById("table")) return; // its feed brings what has changed
  history.replaceState(history.state, "", `#${about}`);
  location.reload();
}

document.addEventListener("click", (clicked) => {
  if (clicked.ctrlKey || clicked.metaKey || clicked.shiftKey || !dialog()) return;
  const link = clicked.target.closest("a[data-beside]");
  const isLeft = dialog().open && clicked.target.closest("[data-leave]");
  if (!link && !isLeft) return;
  clicked.preventDefault();
  if (link) look(link);
  else dialog().close();
});
document.addEventListener("submit", (sent) => {
  const place = dialog() ? piece() : document.querySelector("template.looking")?.closest("main");
  if (!place?.contains(sent.target)) return;
  sent.preventDefault();
  send(sent.target).catch(() => sent.target.submit());
});
document.addEventListener("keydown", (pressed) => {
  if (pressed.key !== "u" || pressed.ctrlKey || pressed.altKey || pressed.metaKey || pressed.defaultPrevented) return;
  if (!dialog() || dialog().open || !document.getElementById("single-keys")?.checked) return;
  const link = document.activeElement.closest(".line")?.querySelector("a[data-beside]");
  if (!link || pressed.target.closest("input, textarea, select")) return;
  pressed.preventDefault();
  look(link);
});
