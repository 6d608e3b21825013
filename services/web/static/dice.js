// Boxes for dice that fell on the table: a whole face leads to the next box, a wrong one is refused beside it.
document.addEventListener("input", ({ target }) => {
  if (!target.matches(".faces input")) return;
  const boxes = [...target.closest(".faces").querySelectorAll("input:not([type=hidden])")];
  const sides = Number(target.dataset.sides);
  const isFace = (said) => said === "" || (/^[0-9]{1,4}$/.test(said) && Number(said) >= 1 && Number(said) <= sides);
  const said = target.value.trim();
  target.toggleAttribute("aria-invalid", false);
  if (!isFace(said)) target.setAttribute("aria-invalid", "true");
  target.closest("fieldset").querySelector("[data-face-told]").textContent = isFace(said) ? "" : target.dataset.wrong;
  const typed = target.form.querySelector("[name=dice][value=typed]");
  if (typed) typed.checked = true;
  if (said && isFace(said) && Number(said) * 10 > sides) boxes[boxes.indexOf(target) + 1]?.focus();
});
