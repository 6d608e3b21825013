"""axe-core on a page: what keeps people from using it, by WCAG 2.2 AA and by its makers' experience."""

from functools import cache
from importlib.resources import files
from typing import Any

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules that light and dark make a difference for."""
RUN = """async (only) => {
    const rules = only.type === "tag" ? {"target-size": {enabled: true}} : {};
    const shown = document.querySelector("dialog:modal") ?? document; // all else is out of reach meanwhile
    const bar = document.querySelector(".bottom-bar");
    if (bar) bar.style.position = "static"; // what it covers can be scrolled from under it
    const found = await axe.run(shown, {runOnly: only, rules, resultTypes: ["violations"]});
    if (bar) bar.style.position = "";
    return found.violations.flatMap((rule) => rule.nodes.map((node) =>
        `${rule.id}: ${node.target.join(" ")}: ${node.html.slice(0, 200)}: ${node.failureSummary}`));
}"""


@cache
def script() -> str:
    """axe-core itself."""
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Any, *rules: str) -> list[str]:
    """What breaks rules on a page as it is shown now, or in the dialog that is open on it: some, or all."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(script())
    only = {"type": "rule", "values": [*rules]} if rules else {"type": "tag", "values": TAGS}
    found: list[str] = page.evaluate(RUN, only)
    return found
