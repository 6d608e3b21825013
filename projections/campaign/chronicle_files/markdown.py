"""Texts of people in Markdown, in its front matter, and as names of files."""

import json
import re
import unicodedata

from domain.one_line import CONTROLS

MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~&$=^%!]")
"""The signs that Markdown, or a program that reads it, takes for markup wherever they stand."""
AT_THE_BEGINNING = re.compile(r"^(?:[+:-]|\d+(?=[.)]))")
"""The beginnings of lists and definitions."""
ADDRESS = re.compile(r"(?<=[A-Za-z])://|(?<=\bwww)\.")
"""The part of an address by which programs make a link of it."""
UNPRINTED = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
"""The signs that YAML has only by their numbers."""
NOT_IN_FILE_NAMES = re.compile(r'[<>:"/\\|?*#^\[\]%]')
"""The signs that some system does not have in names of files, or some program in links."""
RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)", re.IGNORECASE)
"""Names that Windows keeps for devices."""
FILE_NAME_CHARACTERS_MAX = 80
FILE_NAME_BYTES_MAX = 180


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


class FileNames:
    """Names of files, safe on every system and each given once, however systems compare them."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def add(self, text: str) -> str:
        """The name, without its ending, of a new file about something of that name."""
        stem = _file_stem(text)
        name, nth = stem, 1
        while _compared(name) in self._taken:
            nth += 1
            name = f"{stem} {nth}"
        self._taken.add(_compared(name))
        return name


def _compared(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _file_stem(text: str) -> str:
    plain = NOT_IN_FILE_NAMES.sub(" ", unicodedata.normalize("NFC", text))
    plain = "".join(sign if unicodedata.category(sign)[0] != "C" else " " for sign in plain)
    stem = " ".join(plain.split())[:FILE_NAME_CHARACTERS_MAX]
    stem = stem.encode()[:FILE_NAME_BYTES_MAX].decode(errors="ignore").strip(". ")
    return f"_{stem}" if not stem or RESERVED.match(stem) else stem
