"""Checks the lines of an export one after the other, from the file alone."""

from hashlib import sha256

import msgspec

from domain.campaign.storage.event_codec import texts_belong
from domain.campaign.transfer.export_format import (
    FORMAT,
    VERSION,
    AnyLine,
    CheckpointLine,
    EndLine,
    EventLine,
    Header,
    HiddenLine,
    PersonLine,
    stored_event,
)
from domain.event_store_types import StoredEvent
from domain.hash_chain import GENESIS, event_hash, link_of, private_hash_of
from domain.json_depth import is_too_deep
from domain.rejection import Rejection
from domain.sentences import Sentence, say
from domain.shape_faults import first_fault

PEOPLE_MAX = 10_000

_decoder = msgspec.json.Decoder(AnyLine)


class FileCheck:
    """Takes the lines of an export in order and refuses the first that was changed.

    `hidden` counts events that the export's reader may not see, `unlinked` those of them whose link in the chain
    only a GM's export shows.
    """

    def __init__(self) -> None:
        self.header: Header | None = None
        self.seq = 0
        self.hash = GENESIS
        self.hidden = self.unlinked = 0
        self.people: list[PersonLine] = []
        self.checkpoint: CheckpointLine | None = None
        self._lines = 0
        self._digest = sha256()
        self._ended = False

    def take(self, raw: bytes) -> StoredEvent | None:
        """Check one more line and return its event, if it is one that can be read.

        Raises `file_malformed`, `file_too_deep`, `file_format_unknown`, `file_version_unknown` and
        `file_edited`.
        """
        self._lines += 1
        if self._ended:
            raise self._malformed(say("Something follows the end of the export."))
        line = self._decode_line(raw)
        if (self.header is None) != isinstance(line, Header):
            raise self._malformed(say("An export has one header, in its first line."))
        row = self._event(line) if isinstance(line, EventLine) else None
        if row is None:
            self._other(line)
        self._digest.update(raw + b"\n")
        return row

    def finish(self) -> Header:
        """Check that the file is complete. Raises `file_truncated` and `file_edited`."""
        header = self.header
        if header is None or not self._ended or self.seq < header.as_of:
            raise Rejection(
                "file_truncated",
                say("The file ends at event {seq}, before the end of the export.", seq=self.seq),
                seq=self.seq,
            )
        if (self.seq, self.hash.hex()) != (header.as_of, header.head_hash):
            raise self._edited(say("The last event is not the one that the header names."))
        return header

    def _other(self, line: AnyLine) -> None:
        match line:
            case Header():
                self.header = line
            case HiddenLine():
                self._follow_hidden(line)
            case PersonLine():
                if len(self.people) == PEOPLE_MAX:
                    raise self._malformed(say("There are too many people in it."))
                self.people.append(line)
            case CheckpointLine():
                self._check_checkpoint(line)
            case EndLine():
                self._ended = True
                if (line.lines, line.sha256) != (self._lines, self._digest.hexdigest()):
                    raise self._edited(say("Something in the file is not what was exported."))
            case _:
                pass  # public seeds are also in the events, where they are checked

    def _decode_line(self, raw: bytes) -> AnyLine:
        if is_too_deep(raw):
            raise self._too_deep()
        if b"\\u0000" in raw or b"\0" in raw:
            raise self._malformed(say("There is a NUL character in it."))
        if self.header is None:
            self._check_format(raw)
        try:
            line: AnyLine = _decoder.decode(raw)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            raise self._malformed(_fault_in(raw)) from None
        return line

    def _check_format(self, raw: bytes) -> None:
        """Check the format first, because another format or version may lack the fields that are known here."""
        try:
            first = msgspec.json.decode(raw)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            first = None
        if not isinstance(first, dict) or first.get("format") != FORMAT:
            raise Rejection("file_format_unknown", say("This is no export of Fieldlog."))
        if first.get("version") != VERSION:
            version = str(first.get("version"))
            sentence = say(
                "This export is of version {version}; this service reads version 1.", version=version[:20]
            )
            raise Rejection("file_version_unknown", sentence)

    def _event(self, line: EventLine) -> StoredEvent:
        for text in (line.body, line.command or ""):
            if is_too_deep(text.encode()):
                raise self._too_deep()
        row = stored_event(line)
        if not _texts_belong(row):
            raise self._edited(say("A personal text is not the one that was written."))
        assert self.header is not None
        private = link_of(self.header.campaign_id, self.hash, row) or private_hash_of(row)
        self._follow(row.seq, row.recorded_at, row.hash, row.visibility, private)
        return row

    def _follow_hidden(self, line: HiddenLine) -> None:
        private = None if line.private is None else bytes.fromhex(line.private)
        self._follow(line.seq, line.recorded_at, bytes.fromhex(line.hash), line.visibility, private)
        self.hidden += 1

    def _follow(
        self, seq: int, recorded_at: int, written_hash: bytes, visibility: str | None, private: bytes | None
    ) -> None:
        """Advance to the next event. Raises `file_edited` if it is not linked to the one before."""
        assert self.header is not None
        if seq != self.seq + 1 or self.people:
            raise self._edited(say("Event {seq} should stand here.", seq=self.seq + 1))
        if visibility is None or private is None:
            self.unlinked += 1
        elif event_hash(self.header.campaign_id, seq, self.hash, recorded_at, visibility, private) != written_hash:
            raise self._edited(say("Event {seq} is not what was written.", seq=seq))
        self.seq, self.hash = seq, written_hash

    def _check_checkpoint(self, line: CheckpointLine) -> None:
        """Check that the checkpoint is of the last event; its signature is not checked here."""
        assert self.header is not None
        here = (self.header.campaign_id, self.seq, self.hash.hex())
        if (line.campaign_id, line.seq, line.hash) != here:
            raise self._edited(say("The signed checkpoint is of another log."))
        self.checkpoint = line

    def _edited(self, message: Sentence) -> Rejection:
        return Rejection("file_edited", message, seq=self.seq + 1, line=self._lines)

    def _malformed(self, message: Sentence) -> Rejection:
        sentence = say("Line {line} cannot be read: {why}", line=self._lines, why=message)
        return Rejection("file_malformed", sentence, line=self._lines)

    def _too_deep(self) -> Rejection:
        sentence = say("Line {line} is nested too deeply.", line=self._lines)
        return Rejection("file_too_deep", sentence, line=self._lines)


def _texts_belong(row: StoredEvent) -> bool:
    return (row.texts is None or row.text_salt is not None) and texts_belong(row)


def _fault_in(raw: bytes) -> Sentence:
    """The fault of a line that cannot be decoded. A type may be wrong in a line that is no JSON further on."""
    try:
        plain = msgspec.json.decode(raw)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return say("it is not JSON")
    return first_fault(plain, AnyLine).sentence
