// Downloads a campaign and says how far that is: an event is a line. Without this the link does the same.
const panel = document.getElementById("download");
const link = panel.querySelector("a[download]");
const bar = panel.querySelector("progress");
const said = panel.querySelector("[role=status]");
const NEW_LINE = 10;
const LARGE = 200000; // events of a file that is left to the browser, which keeps it out of memory

async function take(body, type) {
  const parts = [];
  const reader = body.getReader();
  let lines = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    for (const each of part.value) lines += each === NEW_LINE;
    bar.value = Math.min(lines, bar.max);
    said.textContent = panel.dataset.progress.replace("##", bar.max).replace("#", bar.value);
  }
  return new Blob(parts, { type });
}

function keep(blob, name) {
  const made = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  made.click();
  setTimeout(() => URL.revokeObjectURL(made.href), 60000);
}

link.addEventListener("click", async (clicked) => {
  if (Number(panel.dataset.events) > LARGE) return;
  clicked.preventDefault();
  if (panel.getAttribute("aria-busy") === "true") return;
  panel.setAttribute("aria-busy", "true");
  bar.parentElement.hidden = false;
  try {
    const answer = await fetch(link.href);
    if (!answer.ok) return location.assign(link.href); // the answer says why
    const name = answer.headers.get("content-disposition")?.match(/filename="([^"]+)"/)?.[1] ?? "campaign.ndjson";
    keep(await take(answer.body, "application/x-ndjson"), name);
    said.textContent = panel.dataset.done;
  } catch {
    said.textContent = panel.dataset.lost;
  } finally {
    panel.removeAttribute("aria-busy");
    bar.parentElement.hidden = true;
  }
});
