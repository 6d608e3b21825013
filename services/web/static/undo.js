// Says how far the search of an undo is, and shows the page when it is over.
const place = document.getElementById("searching");
const [bar, said] = [place.querySelector("progress"), place.querySelector("[role=status]")];

function heard(kind, data) {
  if (kind === "progress") {
    Object.assign(bar, { max: data.of, value: data.searched });
    said.textContent = place.dataset.progress.replace("##", data.of).replace("#", data.searched);
  } else if (kind === "answer") {
    const page = new DOMParser().parseFromString(data, "text/html");
    document.querySelector("main").replaceWith(page.querySelector("main"));
    document.querySelector("h1").tabIndex = -1;
    document.querySelector("h1").focus();
  } else {
    said.textContent = data.detail;
  }
}

async function follow() {
  const answer = await fetch(location.href, { headers: { Accept: "text/event-stream" } });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const [, kind, data] = event.match(/^event: (\w+)\ndata: (.*)$/) ?? [];
      if (kind) heard(kind, JSON.parse(data));
    }
  }
}

// Without a connection the link that waits is still there after loading the page again.
follow().catch(() => location.assign(`${location.pathname}?wait=yes`));
