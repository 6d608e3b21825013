"""Messages as Discord takes them: short enough, without a mention, and with names that change nothing of the rest.

It refuses a message of more than 2,000 characters, and embeds of more than 25 fields or 6,000 characters in all.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

CONTENT_CHARACTERS_MAX = 2_000
FIELDS_MAX = 25
EMBED_CHARACTERS_MAX = 6_000
TITLE_CHARACTERS_MAX = 256
DESCRIPTION_CHARACTERS_MAX = 4_096
FIELD_NAME_CHARACTERS_MAX = 256
FIELD_CHARACTERS_MAX = 1_024
ELLIPSIS = "…"

_MARKS = re.compile(r"([\\`*_~|<>@#\[\]()+\-:])")
"""All that marks something: emphasis, code, quotes, headings, lists, links, mentions, small print."""
_NUMBERED = re.compile(r"(\d)([.])")

Message = dict[str, Any]


class DiscordSection(Struct, frozen=True):
    """A part of a longer text: its title, and its lines."""

    title: str
    lines: list[str]


def escape_name(name: str) -> str:
    """A name so that Discord shows it as it is, wherever in a line it stands."""
    return _NUMBERED.sub(r"\1\\\2", _MARKS.sub(r"\\\1", name))


def line_messages(lines: Sequence[str]) -> list[Message]:
    """Lines as messages, as few as hold them all. A line that is too long is cut at blanks."""
    return [_message(content=text) for text in _packed(lines, CONTENT_CHARACTERS_MAX)]


def section_messages(title: str, lines: Sequence[str], sections: Iterable[DiscordSection]) -> list[Message]:
    """A text with a title as embeds, a message for as much as one takes: its `lines`, then its sections."""
    descriptions = _packed(lines, DESCRIPTION_CHARACTERS_MAX) or [""]
    fields = [
        {"name": _cut(section.title, FIELD_NAME_CHARACTERS_MAX), "value": text}
        for section in sections
        for text in _packed(section.lines, FIELD_CHARACTERS_MAX)
    ]
    heading = _cut(title, TITLE_CHARACTERS_MAX)
    embeds: list[tuple[str, list[dict[str, str]]]] = [(text, []) for text in descriptions]
    room = EMBED_CHARACTERS_MAX - len(heading) - len(embeds[-1][0])
    for field in fields:
        size = len(field["name"]) + len(field["value"])
        if size > room or len(embeds[-1][1]) == FIELDS_MAX:
            embeds.append(("", []))
            room = EMBED_CHARACTERS_MAX - len(heading)
        embeds[-1][1].append(field)
        room -= size
    return [
        _message(
            embeds=[
                {"title": heading}
                | ({"description": text} if text else {})
                | ({"fields": own_fields} if own_fields else {})
            ]
        )
        for text, own_fields in embeds
    ]


def _message(**content: Any) -> Message:
    return {**content, "allowed_mentions": {"parse": []}}


def _packed(lines: Iterable[str], most: int) -> list[str]:
    """Texts of at most so many characters that hold these lines, in order."""
    texts: list[str] = []
    for line in (piece for whole in lines for piece in _pieces(whole, most)):
        if texts and len(texts[-1]) + 1 + len(line) <= most:
            texts[-1] += f"\n{line}"
        else:
            texts.append(line)
    return texts


def _pieces(line: str, most: int) -> list[str]:
    """A line in pieces of at most so many characters, cut at a blank where there is one."""
    pieces = []
    rest = line.strip()
    while len(rest) > most:
        at = rest.rfind(" ", most // 2, most)
        at = at if at > 0 else _not_behind_backslash(rest, most)
        pieces.append(rest[:at].rstrip())
        rest = rest[at:].lstrip()
    return [*pieces, rest] if rest else pieces


def _not_behind_backslash(text: str, most: int) -> int:
    """Where to cut a text so that no backslash is parted from what it escapes."""
    backslashes = len(text[:most]) - len(text[:most].rstrip("\\"))
    return most - backslashes % 2


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: _not_behind_backslash(text, most - 1)] + ELLIPSIS
