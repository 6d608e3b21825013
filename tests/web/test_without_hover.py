"""Nothing needs a pointer that hovers: stylesheets change how a thing looks then, and not whether it is there."""

import re

from services.http.screen.shared.static_files import FOLDER

RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
REVEALS = re.compile(
    r"(?:^|;)\s*(display|visibility|opacity|content|clip|clip-path|height|max-height|transform)\s*:"
)


def revealed_by_hover(css: str) -> list[str]:
    """The rules for what is hovered over that make something appear, unless focus does the same."""
    return [
        selector.strip()
        for selector, body in RULE.findall(re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL))
        if ":hover" in selector and ":focus" not in selector and REVEALS.search(body)
    ]


def test_nothing_appears_only_under_a_pointer():
    sheets = sorted(FOLDER.glob("*.css"))
    assert sheets
    assert [found for each in sheets for found in revealed_by_hover(each.read_text(encoding="utf-8"))] == []


def test_what_would_appear_so_is_found():
    """Negative control."""
    hidden = ".menu { display: none } /* a menu */ .item:hover .menu { color: red; display: block }"
    assert revealed_by_hover(hidden) == [".item:hover .menu"]
    assert (
        revealed_by_hover(".item:hover, .item:focus-within .menu { display: block } a:hover { color: red }") == []
    )
