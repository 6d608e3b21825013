"""The chronicle as a file: plain text, or a vault of Markdown notes; written while it is read."""

import io
import zipfile
from collections.abc import AsyncIterator, Callable
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from domain.campaign.play.characters import characters as campaign_characters
from domain.campaign.settings import OWN, CampaignSettings, settings_of
from domain.event_store_types import StoredEvent
from domain.sentences import Sentence, say
from domain.systems import SYSTEMS
from projections.campaign.chronicle import ActionEntry, concerned
from projections.campaign.chronicle_files.chronicle_line import CharacterInFile, ChronicleLine, SessionInFile
from projections.campaign.chronicle_files.text_chronicle import TextChronicle
from projections.campaign.chronicle_files.vault import Vault
from projections.campaign.dates import date_in
from projections.timestamps import moment
from services.campaign.visible_campaign import VisibleCampaign
from services.reading.chronicle import entries_of
from services.reading.event_scan import actions_after
from services.reading.play_session import play_sessions
from services.reading.read_dependencies import Readers

ChronicleFormat: TypeAlias = Literal["markdown", "text"]
TOLD_TOGETHER = 100
"""Actions whose words are read at once: a long campaign takes no more memory than a short one."""
MINUTE = len("2026-11-29T15:04")

Progress: TypeAlias = Callable[[int], None]
"""Is told the seq up to which the file is written."""


class ChronicleFile(Struct, frozen=True):
    """A chronicle as a file that is written while it is read."""

    name: str
    media_type: str
    pieces: AsyncIterator[bytes]


async def export_chronicle(
    parts: Readers, campaign: VisibleCampaign, file_format: ChronicleFormat, progress: Progress = lambda _: None
) -> ChronicleFile:
    """The whole chronicle as it stands now, as far as its reader may know it.

    Actions of which the reader knows only that they happened are left out.
    """
    campaign = campaign.standing_still()
    export = _Export(parts, campaign, await _sessions(parts, campaign), progress)
    if file_format == "text":
        return ChronicleFile(TextChronicle.file_name, "text/plain", export.text())
    return ChronicleFile(Vault.file_name, "application/zip", export.vault())


async def _sessions(parts: Readers, campaign: VisibleCampaign) -> list[SessionInFile]:
    """The play sessions in order, after what was before the first."""
    sessions = [
        SessionInFile(session.number, session.title, moment(session.began_at), session.first, session.last)
        for session in await play_sessions(parts.log, parts.views, campaign)
    ]
    first = sessions[0].first if sessions else campaign.seq + 1
    before = [SessionInFile(None, None, "", 1, first - 1)] if first > 1 else []
    return [*before, *sessions]


class _Export:
    """One export, of the campaign as it stood when it began."""

    def __init__(
        self, parts: Readers, campaign: VisibleCampaign, sessions: list[SessionInFile], progress: Progress
    ) -> None:
        self._parts = parts
        self._campaign = campaign
        self._sessions = sessions
        self._progress = progress
        settings: CampaignSettings = settings_of(OWN, campaign.state.changed_settings)
        self._calendar = settings.calendar
        self._characters = [
            CharacterInFile(
                str(character.character),
                campaign.name(character.character),
                [former.name for former in campaign.state.former_names.get(str(character.character), ())],
                SYSTEMS[system].title,
                "" if character.player is None else campaign.name(character.player),
            )
            for system, inner in campaign.state.systems.items()
            for character in SYSTEMS[system].characters(inner)
        ]
        self._ids = {str(character.character) for character in campaign_characters(campaign.state)}

    async def text(self) -> AsyncIterator[bytes]:
        """The plain text, piece by piece."""
        writer = TextChronicle(self._campaign.text_of)
        yield writer.head(self._campaign.state.name, self._preface()).encode()
        for session in self._sessions:
            yield writer.heading(session).encode()
            async for lines in self._lines(session):
                yield "".join(writer.line(line) for line, _ in lines).encode()

    async def vault(self) -> AsyncIterator[bytes]:
        """The archive, piece by piece."""
        campaign = self._campaign
        vault = Vault(campaign.text_of, campaign.state.name, campaign.seq, self._sessions, self._characters)
        sink = _Sink()
        sessions_of: dict[str, list[SessionInFile]] = {character.character: [] for character in self._characters}
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_file(f"{vault.index}.md"), vault.index_note(self._preface()))
            for session in self._sessions:
                about: set[str] = set()
                with archive.open(_file(vault.session_path(session)), "w", force_zip64=True) as note:
                    note.write(vault.session_head(session).encode())
                    async for lines in self._lines(session):
                        for line, characters in lines:
                            note.write(vault.line(line).encode())
                            about |= characters
                        yield sink.take()
                    note.write(vault.session_foot(about).encode())
                for concerned_id in about:
                    sessions_of[concerned_id].append(session)
            for character in self._characters:
                text = vault.character_note(character, sessions_of[character.character])
                archive.writestr(_file(vault.character_path(character)), text)
                yield sink.take()
        yield sink.take()

    def _preface(self) -> list[Sentence]:
        return [
            say(
                "The chronicle of {campaign} as of no. {seq}, as far as its reader may know it.",
                campaign=self._campaign.state.name,
                seq=str(self._campaign.seq),
            ),
            say("Actions that were undone are in it, and marked so. Moments are in UTC."),
        ]

    async def _lines(self, session: SessionInFile) -> AsyncIterator[list[tuple[ChronicleLine, set[str]]]]:
        """The lines of a play session with the characters that each is about, some at a time."""
        together: list[list[StoredEvent]] = []
        log, campaign_id = self._parts.log, self._campaign.campaign_id
        async for rows in actions_after(log, campaign_id, session.first - 1, session.last):
            together.append(rows)
            if len(together) == TOLD_TOGETHER:
                yield await self._read_lines(together)
                together = []
        if together:
            yield await self._read_lines(together)

    async def _read_lines(self, actions: list[list[StoredEvent]]) -> list[tuple[ChronicleLine, set[str]]]:
        """The lines of actions, without those that the reader may not read."""
        entries = await entries_of(self._parts.log, actions, self._campaign)
        self._progress(actions[-1][-1].seq)
        return [
            (self._line(entry), self._about(rows))
            for entry, rows in zip(entries, actions, strict=True)
            if entry.type is not None
        ]

    def _about(self, rows: list[StoredEvent]) -> set[str]:
        about: set[str] = set()
        for row in rows:
            about |= concerned(self._campaign.read(row).event, self._ids)
        return about

    def _line(self, entry: ActionEntry) -> ChronicleLine:
        game_time = entry.game_time
        calendar, language = self._calendar, self._campaign.language
        return ChronicleLine(
            entry.seq,
            entry.at[:MINUTE].replace("T", " "),
            "" if game_time is None else date_in(language, game_time, calendar).text,
            entry.actor_name or "",
            entry.summary,
            entry.note or "",
            entry.undone_in is not None,
        )


class _Sink(io.RawIOBase):
    """Where an archive is written that is sent piece by piece: no piece is ever changed."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        """It is for writing."""
        return True

    def write(self, piece: Any) -> int:
        """Take a piece of the archive."""
        self._pieces.append(bytes(piece))
        return len(piece)

    def take(self) -> bytes:
        """All pieces since the last time."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def _file(path: str) -> zipfile.ZipInfo:
    """A file of the archive; each is as old as the format can say, so that equal chronicles are equal files."""
    info = zipfile.ZipInfo(path)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info
