"""The chronicle as plain text."""

from collections.abc import Callable, Iterable

from domain.one_line import CONTROLS
from domain.sentences import Sentence, say
from projections.campaign.chronicle_files.chronicle_line import ChronicleLine, SessionInFile

INDENT = "    "


class TextChronicle:
    """Writes the parts of the text; `text_of` renders sentences."""

    file_name = "chronicle.txt"

    def __init__(self, text_of: Callable[[str | Sentence], str]) -> None:
        self._text_of = text_of

    def head(self, title: str, preface: Iterable[Sentence]) -> str:
        """The beginning, with what the reader has to know of it."""
        return "\n".join([_line(title), "", *(_line(self._text_of(sentence)) for sentence in preface), ""])

    def heading(self, session: SessionInFile) -> str:
        """The beginning of a play session."""
        title = _line(self._text_of(session.heading))
        return f"\n{title}\n{'=' * len(title)}\n"

    def line(self, line: ChronicleLine) -> str:
        """An action: when and by whom, then each sentence on a line of its own."""
        number = self._text_of(say("No. {seq}", seq=str(line.seq)))
        undone = [self._text_of(say("undone"))] if line.is_undone else []
        place = " · ".join(_line(part) for part in (number, *line.when, line.actor, *undone) if part)
        note = [self._text_of(say("Note: {note}", note=line.note))] if line.note else []
        parts = [*line.sentences, *note]
        return "\n".join([f"\n{place}", *(_indented(part) for part in parts), ""])


def _line(text: str) -> str:
    return CONTROLS.sub(" ", text)


def _indented(text: str) -> str:
    return "\n".join(f"{INDENT}{_line(part).strip()}" for part in text.splitlines() if part.strip())
