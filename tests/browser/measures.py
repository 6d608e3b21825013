"""What a page keeps from fingers and from eyes that need it large, measured in the browser."""

from typing import Any

FINGER = 44
"""Pixels that a target has in both directions on a touch screen."""

SMALL = """(least) => {
  const targets = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button]";
  const isInText = (each) => getComputedStyle(each).display === "inline" &&
    [...each.parentElement.childNodes].some(
      (node) => node.nodeType === 3 && /[\\p{L}\\p{N}]/u.test(node.textContent));
  const boxOf = (each) => {
    if (each.matches("input[type=radio], input[type=checkbox]")) each = each.closest("label") ?? each;
    const inside = getComputedStyle(each, "::after");
    const isSpread = inside.position === "absolute" && inside.content !== "none";
    return (isSpread ? each.closest("li, section") ?? each : each).getBoundingClientRect();
  };
  return [...document.querySelectorAll(targets)]
    .filter((each) => !each.closest("svg") && each.checkVisibility({visibilityProperty: true}))
    .filter((each) => !each.matches(".visually-hidden, .skip") && !isInText(each))
    .map((each) => [each, boxOf(each)])
    .filter(([each, box]) => box.height < least - .5 ||
      (box.width < least - .5 && !each.matches("td .why, dd .why, li > .why")))
    .map(([each, box]) => `${each.outerHTML.slice(0, 99)}: ${Math.round(box.width)} by ${Math.round(box.height)}`);
}"""

LOST = """() => {
  const wide = document.documentElement.clientWidth;
  const shown = (each) =>
    each.checkVisibility({visibilityProperty: true}) && !each.closest("svg, .visually-hidden, .skip");
  const told = (each) => `${each.tagName} ${each.className}: ${each.textContent.trim().slice(0, 60)}`;
  const found = [];
  const beyond = document.documentElement.scrollWidth - wide;
  if (beyond > 0) found.push(`the page is ${beyond} pixels too wide`);
  const scrolls = (each) => {
    for (let up = each.parentElement; up; up = up.parentElement) {
      if (["auto", "scroll"].includes(getComputedStyle(up).overflowX)) return true;
    }
    return false;
  };
  for (const each of document.querySelectorAll("body *")) {
    if (!shown(each)) continue;
    const style = getComputedStyle(each);
    if (style.clipPath === "inset(50%)") continue; // only heard
    const isCut = ["hidden", "clip"].includes(style.overflowX) && each.scrollWidth > each.clientWidth + 1;
    if (isCut && each.textContent.trim()) found.push(`cut: ${told(each)}`);
    const box = each.getBoundingClientRect();
    if (box.width && box.right > wide + 1 && !scrolls(each)) found.push(`beyond the edge: ${told(each)}`);
  }
  const foot = document.querySelector(".site-foot").getBoundingClientRect();
  const bar = document.querySelector(".bottom-bar")?.offsetHeight ?? 0;
  const below = document.documentElement.scrollHeight - foot.bottom - scrollY - bar;
  if (foot.height && below > 1) found.push(`${Math.round(below)} empty pixels below the footer`);
  return found;
}"""


def small_targets(page: Any) -> list[str]:
    """What a finger misses: targets that are too small, but for links within a sentence.

    A figure in a table or a list is as high as a finger, and as wide as its column allows.
    """
    found: list[str] = page.evaluate(SMALL, FINGER)
    return found


def lost(page: Any) -> list[str]:
    """What is cut, lies beyond the page's edge or makes the page scroll sideways; and room that nothing fills."""
    found: list[str] = page.evaluate(LOST)
    return found
