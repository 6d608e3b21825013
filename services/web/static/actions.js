// Sends forms with `data-act` in place: with a key of their own, again for a minute while there is no connection.
const words = document.getElementById("sent").dataset;
const MINUTE = 60000;
const PAUSES = [500, 1000, 2000, 4000];

function newKey() {
  // `crypto.randomUUID` is missing where a page came over plain HTTP.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");
}

document.addEventListener("submit", async (submitted) => {
  const form = submitted.target;
  if (!form.matches("form[data-act]") || submitted.defaultPrevented) return;
  submitted.preventDefault();
  if (form.getAttribute("aria-busy") === "true") return;
  const body = new URLSearchParams(new FormData(form, submitted.submitter));
  if (form.dataset.inPlace) body.set("next", form.dataset.inPlace); // what is to be shown there afterwards
  const said = body.toString();
  if (form.dataset.said !== said || !form.dataset.key) Object.assign(form.dataset, { said, key: newKey() });
  form.setAttribute("aria-busy", "true");
  tell(form, words.sent);
  const answer = await send(form, body);
  form.removeAttribute("aria-busy");
  if (answer === null) {
    tell(form, words.unknown, "bad"); // the same key again: asking again is free
    return;
  }
  delete form.dataset.key;
  if (answer.type === "opaqueredirect" || answer.ok || answer.redirected) {
    if (!form.dataset.inPlace) form.reset();
    tell(form, words.done);
    form.dispatchEvent(new CustomEvent("fieldlog:sent", { bubbles: true, detail: answer.ok ? await answer.text() : "" }));
  } else if (answer.status === 401) {
    tell(form, words.over, "bad");
  } else {
    tell(form, (await reason(answer)) || words.refused, "bad");
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
      });
      if (answer.status < 500) return answer;
    } catch {
      // no connection
    }
    const pause = PAUSES[Math.min(nth, PAUSES.length - 1)];
    if (Date.now() + pause > until) return null;
    tell(form, words.again);
    await new Promise((passed) => setTimeout(passed, pause));
  }
}

async function reason(answer) {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return (page.querySelector("main [role=alert]") ?? page.querySelector("main p"))?.textContent.trim();
}

function tell(form, text, kind = "") {
  const place = form.querySelector("[data-told]");
  if (!place) return;
  place.textContent = text;
  place.className = kind ? "error" : "small";
}
