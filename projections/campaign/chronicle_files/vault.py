"""The chronicle as a vault of Markdown notes: one for each play session and character, linked both ways."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from domain.sentences import Sentence, say
from projections.campaign.chronicle_files.chronicle_line import CharacterInFile, ChronicleLine, SessionInFile
from projections.campaign.chronicle_files.file_names import FileNames
from projections.campaign.chronicle_files.markdown_escape import escape_markdown, quote_yaml

ENDING = ".md"
HARD_BREAK = "\\\n"


class Vault:
    """Writes the notes; every note's path is known before the first is written, so that links are one to one.

    `text_of` renders sentences.
    """

    file_name = "chronicle.zip"

    def __init__(
        self,
        text_of: Callable[[str | Sentence], str],
        campaign: str,
        as_of: int,
        sessions: Sequence[SessionInFile],
        characters: Sequence[CharacterInFile],
    ) -> None:
        self._text_of = text_of
        self._campaign = campaign
        self._as_of = as_of
        self._characters = characters
        self._sessions = sessions
        names = FileNames()
        self.index = names.add(campaign)
        folder = FileNames()
        of_sessions, of_characters = (
            folder.add(text_of(title)) for title in (say("Play sessions"), say("Characters"))
        )
        self._session_paths = {
            session.first: f"{of_sessions}/{names.add(self._session_name(session))}" for session in sessions
        }
        self._character_paths = {
            character.character: f"{of_characters}/{names.add(character.name)}" for character in characters
        }

    def _session_name(self, session: SessionInFile) -> str:
        number = f"{session.number or 0:03}"
        return f"{number} {self._text_of(session.heading) if session.number is None else session.title or ''}"

    def session_path(self, session: SessionInFile) -> str:
        """The path of a play session's note."""
        return f"{self._session_paths[session.first]}{ENDING}"

    def character_path(self, character: CharacterInFile) -> str:
        """The path of a character's note."""
        return f"{self._character_paths[character.character]}{ENDING}"

    def index_note(self, preface: Iterable[Sentence]) -> str:
        """The note from which all others are reached."""
        return "\n".join(
            [
                *self._front_matter({"campaign": self._campaign}),
                f"# {escape_markdown(self._campaign)}",
                "",
                *(escape_markdown(self._text_of(sentence)) + "\n" for sentence in preface),
                *self._links(
                    say("Play sessions"), [self._session_paths[session.first] for session in self._sessions]
                ),
                *self._links(say("Characters"), [*self._character_paths.values()]),
            ]
        )

    def session_head(self, session: SessionInFile) -> str:
        """The beginning of a play session's note."""
        facts: dict[str, str | int | list[str]] = {"campaign": self._campaign}
        if session.number is not None:
            facts |= {"number": session.number, "title": session.title or "", "began_at": session.began_at}
        heading = escape_markdown(self._text_of(session.heading))
        return "\n".join([*self._front_matter(facts), f"# {heading}", "", ""])

    def line(self, line: ChronicleLine) -> str:
        """An action as an item of a list, with an item for each of its sentences."""
        number = self._text_of(say("No. {seq}", seq=str(line.seq)))
        undone = [self._text_of(say("undone"))] if line.is_undone else []
        place = " · ".join(escape_markdown(part) for part in (number, *line.when, line.actor, *undone) if part)
        note = [self._text_of(say("Note: {note}", note=line.note))] if line.note else []
        items = [f"    - {_item(part)}" for part in (*line.sentences, *note) if part.strip()]
        return "\n".join([f"- {place}", *items, ""])

    def session_foot(self, characters: Iterable[str]) -> str:
        """The end of a play session's note: the characters in it."""
        concerned = {*characters}
        paths = [path for character, path in self._character_paths.items() if character in concerned]
        return "\n".join(["", *self._links(say("Characters"), paths)])

    def character_note(self, character: CharacterInFile, sessions: Sequence[SessionInFile]) -> str:
        """A character's note, with the play sessions in which something concerned them."""
        facts: Mapping[str, str | int | list[str]] = {
            "campaign": self._campaign,
            "name": character.name,
            "aliases": list(dict.fromkeys([character.name, *character.former_names])),
            "id": character.character,
            "system": character.system,
            "player": character.player,
        }
        played_by = [say("Played by {player}", player=character.player)] if character.player else []
        return "\n".join(
            [
                *self._front_matter(facts),
                f"# {escape_markdown(character.name)}",
                "",
                *(escape_markdown(self._text_of(sentence)) + "\n" for sentence in played_by),
                *self._links(say("Play sessions"), [self._session_paths[session.first] for session in sessions]),
            ]
        )

    def _front_matter(self, facts: Mapping[str, str | int | list[str]]) -> list[str]:
        return ["---", *(_property(key, fact) for key, fact in {**facts, "as_of": self._as_of}.items()), "---", ""]

    def _links(self, title: Sentence, paths: Sequence[str]) -> list[str]:
        if not paths:
            return []
        return [f"## {escape_markdown(self._text_of(title))}", "", *(f"- [[{path}]]" for path in paths), ""]


def _property(key: str, fact: str | int | list[str]) -> str:
    if isinstance(fact, int):
        return f"{key}: {fact}"
    if isinstance(fact, str):
        return f"{key}: {quote_yaml(fact)}"
    return f"{key}: [{', '.join(quote_yaml(text) for text in fact)}]"


def _item(text: str) -> str:
    """A text with its lines, as an item of the second level."""
    lines = [escape_markdown(line) for line in text.splitlines() if line.strip()]
    return f"{HARD_BREAK}      ".join(lines)
