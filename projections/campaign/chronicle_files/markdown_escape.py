"""Texts of people, escaped for Markdown and for its front matter."""

import json
import re

from domain.one_line import CONTROLS

MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~&$=^%!]")
"""The signs that Markdown, or a program that reads it, takes for markup wherever they stand."""
AT_THE_BEGINNING = re.compile(r"^(?:[+:-]|\d+(?=[.)]))")
"""The beginnings of lists and definitions."""
ADDRESS = re.compile(r"(?<=[A-Za-z])://|(?<=\bwww)\.")
"""The part of an address by which programs make a link of it."""
UNPRINTED = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
"""The signs that YAML has only by their numbers."""


def escape_markdown(text: str) -> str:
    """One line of a text, so that Markdown shows it as it is."""
    line = MARKUP.sub(lambda sign: f"\\{sign[0]}", CONTROLS.sub(" ", text).strip())
    line = ADDRESS.sub(lambda sign: f"\\{sign[0]}", line)
    return AT_THE_BEGINNING.sub(_escape_beginning, line)


def _escape_beginning(beginning: re.Match[str]) -> str:
    """A number is escaped behind its digits, where the dot or bracket stands."""
    return f"{beginning[0]}\\" if beginning[0][0].isdigit() else f"\\{beginning[0]}"


def quote_yaml(text: str) -> str:
    """A text as a string that YAML 1.1 and 1.2 read alike, whatever it looks like."""
    quoted = json.dumps(text, ensure_ascii=False)
    return UNPRINTED.sub(lambda sign: _numbered(ord(sign[0])), quoted)


def _numbered(code: int) -> str:
    surrogate = range(0xD800, 0xE000)
    return "\\uFFFD" if code in surrogate else f"\\u{code:04X}"
