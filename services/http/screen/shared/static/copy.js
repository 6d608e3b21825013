// Copies a line or a section as text. Without this there are no buttons for it, and what is selected copies as well.
async function write(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without HTTPS a page has no such clipboard.
  }
  const field = Object.assign(document.createElement("textarea"), { value: text, className: "visually-hidden" });
  button.after(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  button.focus();
  return done;
}

document.documentElement.dataset.copies = "";
document.addEventListener("click", async (clicked) => {
  const button = clicked.target.closest("[data-copy]");
  if (button !== null && (await write(button.dataset.copy, button))) button.textContent = button.dataset.done;
});
