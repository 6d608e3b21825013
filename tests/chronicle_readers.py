"""Programs that read an exported chronicle: YAML 1.1 and 1.2, Markdown, and archives."""

import io
import zipfile
from typing import Any

import yaml
from markdown_it import MarkdownIt
from ruamel.yaml import YAML


def notes(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def front_matter(note: str) -> dict[str, Any]:
    """The properties of a note, as readers of YAML 1.1 and of 1.2 agree that they are."""
    _, properties, _ = note.split("---\n", 2)
    old: dict[str, Any] = yaml.safe_load(properties)
    assert old == YAML(typ="safe", pure=True).load(properties)
    return old


def text_of(markdown: str) -> str:
    """The text that a reader sees, where no markup is but headings, lists and breaks of lines."""
    shown = []
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown):
        assert token.type in {
            "heading_open", "heading_close", "bullet_list_open", "bullet_list_close", "list_item_open",
            "list_item_close", "paragraph_open", "paragraph_close", "inline",
        }, token  # fmt: skip
        for child in token.children or []:
            assert child.type in ("text", "softbreak", "hardbreak", "text_special"), child
            shown.append("\n" if child.type.endswith("break") else child.content)
        shown.append("\n")
    return "".join(shown)
