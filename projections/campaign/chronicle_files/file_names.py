"""Texts of people as names of files."""

import re
import unicodedata

NOT_IN_FILE_NAMES = re.compile(r'[<>:"/\\|?*#^\[\]%]')
"""The signs that some system does not have in names of files, or some program in links."""
RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)", re.IGNORECASE)
"""Names that Windows keeps for devices."""
FILE_NAME_CHARACTERS_MAX = 80
FILE_NAME_BYTES_MAX = 180


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
