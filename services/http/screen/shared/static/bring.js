// Sends the file of a campaign in place: how far it is, then what is in it; the chosen file stays chosen.
const form = document.getElementById("bring");
const progress = document.getElementById("progress");
const [bar, said] = [progress.querySelector("progress"), progress.querySelector("[role=status]")];
const MB = 1048576;
const CAMPAIGNS = new URL("../c/", import.meta.url).href;

function megabytes(bytes) {
  return (bytes / MB).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 });
}

function busy(is) {
  form.setAttribute("aria-busy", is);
  progress.hidden = !is;
  for (const each of form.querySelectorAll("button")) each.disabled = is;
}

function show(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const made = page.getElementById("bring");
  if (!made) {
    document.querySelector("main").replaceWith(page.querySelector("main"));
    return;
  }
  for (const id of ["told", "found"]) document.getElementById(id).replaceWith(made.querySelector(`#${id}`));
  form.elements.namedItem("key").value = made.elements.namedItem("key").value;
  (form.querySelector("#told [role=alert]") ?? document.getElementById("in-it"))?.scrollIntoView({ block: "nearest" });
  document.getElementById("in-it")?.focus({ preventScroll: true });
}

form.addEventListener("submit", (submitted) => {
  submitted.preventDefault();
  if (form.getAttribute("aria-busy") === "true") return;
  const sent = new FormData(form, submitted.submitter);
  const asked = new XMLHttpRequest();
  busy(true);
  bar.removeAttribute("value");
  asked.upload.addEventListener("progress", ({ loaded, total, lengthComputable }) => {
    if (!lengthComputable) return;
    Object.assign(bar, { max: total, value: loaded });
    said.textContent = form.dataset.sending.replace("##", megabytes(total)).replace("#", megabytes(loaded));
  });
  asked.upload.addEventListener("load", () => {
    bar.removeAttribute("value");
    said.textContent = form.dataset.reading;
  });
  asked.addEventListener("load", () => {
    busy(false);
    if (asked.responseURL.startsWith(CAMPAIGNS)) location.assign(asked.responseURL);
    else show(asked.responseText);
  });
  asked.addEventListener("error", () => {
    busy(false);
    document.getElementById("told").innerHTML = "";
    const lost = Object.assign(document.createElement("p"), { className: "notice bad", textContent: form.dataset.lost });
    lost.setAttribute("role", "alert");
    document.getElementById("told").append(lost);
  });
  asked.open("POST", form.action);
  asked.setRequestHeader("Accept", "text/html");
  asked.send(sent);
});
