// Has this browser called while a table waits for the reader, and says why where that cannot be.
const panel = document.getElementById("calls");
const form = panel.querySelector("[data-subscribe]");
const isCalled = panel.querySelector("[data-current]") !== null;
const isAble = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

function say(why) {
  for (const each of panel.querySelectorAll("[data-why]")) each.hidden = each.dataset.why !== why;
}

function bytesOf(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
}

// With another key than the service has now, a subscription brings nothing any more.
async function subscribe(key) {
  const { pushManager } = await navigator.serviceWorker.ready;
  const own = await pushManager.getSubscription();
  const ownKey = own?.options.applicationServerKey;
  if (own && !(ownKey && bytesOf(key).every((byte, nth) => byte === new Uint8Array(ownKey)[nth]))) await own.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) });
}

async function show() {
  if (!window.isSecureContext) return say("insecure");
  if (!isAble) return say("unsupported");
  if (Notification.permission === "denied") return say("denied");
  const own = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
  form.hidden = isCalled && own !== null;
  if (isCalled && own === null) say("lost");
}

form.addEventListener("submit", async (submitted) => {
  submitted.preventDefault();
  if ((await Notification.requestPermission()) === "denied") return show();
  try {
    const { endpoint, keys } = (await subscribe(panel.dataset.key)).toJSON();
    for (const [name, value] of Object.entries({ endpoint, ...keys })) form.elements[name].value = value;
  } catch {
    return say("failed");
  }
  form.submit();
});

// A browser that is called no more needs no place at its push service either.
panel.querySelector("[data-stop]")?.addEventListener("submit", async (submitted) => {
  submitted.preventDefault();
  try {
    await (await (await navigator.serviceWorker.ready).pushManager.getSubscription())?.unsubscribe();
  } catch {
    // the service forgets it all the same
  }
  submitted.target.submit();
});

show();
