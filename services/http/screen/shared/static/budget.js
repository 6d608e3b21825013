// Shows at once how much of a budget is used; the service decides.
function tell(box) {
  const { path, ends, total, shares } = box.dataset;
  const counts = (name) => name === path || (name.startsWith(`${path}.`) && /^\d+$/.test(name.slice(path.length + 1, name.length - ends.length)) && name.endsWith(ends));
  const said = [...box.closest("form").elements]
    .filter((each) => counts(each.name) && each.type !== "hidden" && (!/^(checkbox|radio)$/.test(each.type) || each.checked))
    .map((each) => each.value.trim());
  const used = "counted" in box.dataset ? said.filter(Boolean).map(() => 1) : said.filter((each) => /^\d{1,6}$/.test(each)).map(Number);
  const left = shares ? shares.split(" ").map(Number) : [];
  for (const each of used) if (left.includes(each)) left.splice(left.indexOf(each), 1);
  const sum = used.reduce((all, each) => all + each, 0);
  box.querySelector("[data-used]").textContent = sum;
  box.querySelector("[data-left]")?.replaceChildren(left.join(", ") || "–");
  box.classList.toggle("over", sum > Number(total));
}

document.addEventListener("input", ({ target }) => {
  if (target.form) for (const box of target.form.querySelectorAll("[data-budget]")) tell(box);
});
