"""A line of the chronicle, and the people and play sessions that it is about, as files have them."""

from msgspec import Struct

from domain.sentences import Sentence, say


class ChronicleLine(Struct, frozen=True):
    """An action as its reader may know it."""

    seq: int
    at: str
    """When it was recorded, to the minute, in UTC."""
    game_date: str
    """The date of the campaign's calendar, in words; empty: its reader does not know it."""
    actor: str
    """The name of its actor; empty: a worker acted."""
    sentences: list[str]
    """Its events in words, with the faces of all dice."""
    note: str
    is_undone: bool

    @property
    def when(self) -> list[str]:
        """Its moments, as far as they are known."""
        return [part for part in (f"{self.at} UTC", self.game_date) if part]


class SessionInFile(Struct, frozen=True):
    """A play session with its place in the log; its number is None for what was before the first."""

    number: int | None
    title: str | None
    began_at: str
    first: int
    last: int

    @property
    def heading(self) -> Sentence:
        """The name of the play session for people."""
        if self.number is None:
            return say("Before the first play session")
        if self.title:
            return say("Play session {n}: {title}", n=self.number, title=self.title)
        return say("Play session {n}", n=self.number)


class CharacterInFile(Struct, frozen=True):
    """A character with its player; empty: it has none."""

    character: str
    name: str
    former_names: list[str]
    system: str
    player: str
