"""`/c/{campaign}/chronicle`: what happened, line by line, and `/c/{campaign}/a/{seq}`: one action."""

from collections.abc import Sequence
from typing import Any, ClassVar
from urllib.parse import urlencode
from uuid import UUID

from litestar import Request, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Response
from msgspec import Struct, structs

from domain.ids import AccountId
from domain.sentences import Part, Sentence, Term, say
from projections.campaign.campaign_view import members, roster
from projections.campaign.chronicle import ActionEntry
from projections.languages import render
from projections.words import ROOMS, command_title, groups_of
from services.api.paths import BeforeQuery
from services.api.problems import Malformed
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.queries.chronicle import ActionsPage, Filters, actions_page
from services.queries.diff import changes_of
from services.queries.names_in_answers import names_in
from services.queries.play_session import PlaySession
from services.web.answers import shown
from services.web.campaign_page import CampaignPage, campaign_path, frame_of, read_paths, seen_by
from services.web.changed_values import ChangedThing, InWords
from services.web.chronicle_lines import Line, Rule, action_path, lines_of
from services.web.time_line import Reading, reading, session_title
from services.web.visitor import Visitor

LINES = 100
TEXT_MAX = 200
UNFILTERED = Filters()


class Option(Struct, frozen=True):
    """Something to choose in a filter."""

    value: str
    title: str


class OptionGroup(Struct, frozen=True):
    """Things to choose that belong together."""

    title: str
    options: list[Option]


class SessionOption(Struct, frozen=True):
    """A play session to choose: its number, its name, and when it began (microseconds UTC)."""

    value: str
    title: Sentence
    began_at: int


class ChronicleFilter(Struct, frozen=True):
    """What can be looked for, and what is looked for: empty texts leave out nothing."""

    character: str
    actor: str
    type: str
    text: str
    session: str
    characters: list[Option]
    people: list[Option]
    kinds: list[OptionGroup]
    sessions: list[SessionOption]

    @property
    def is_on(self) -> bool:
        """Whether anything is left out."""
        return any((self.character, self.actor, self.type, self.text, self.session))

    @property
    def chosen(self) -> list[Part]:
        """What is looked for, as people call it."""
        kinds = [option for group in self.kinds for option in group.options]
        among: tuple[tuple[str, Sequence[Option | SessionOption]], ...] = (
            (self.character, self.characters),
            (self.actor, self.people),
            (self.session, self.sessions),
            (self.type, kinds),
        )
        found = [each.title for value, options in among for each in options if value and each.value == value]
        return [*found, *([say("“{words}”", words=self.text)] if self.text else [])]


class ChroniclePage(CampaignPage, frozen=True):
    """Lines, the newest last. `earlier` and `latest` are the addresses of the pages before and at the end.

    `searched` is how many events were looked through, where that was not all of them.
    `may_lead`: the reader can fork and reveal, but not on a page of the past.
    """

    template: ClassVar[str] = "chronicle.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "chronicle"
    lines: list[Line]
    filter: ChronicleFilter
    earlier: str
    latest: str
    searched: int
    may_lead: bool

    @property
    def title(self) -> Sentence:
        """What the page is called."""
        return say("Chronicle")


class UndoRequest(Struct, frozen=True):
    """That an undo was asked for, in a sentence, and what the reader may do about it: grant or withdraw."""

    told: Sentence
    may_grant: bool
    is_own: bool


class ActionPage(CampaignPage, frozen=True):
    """One action: its line, what it was asked as, what it changed, and what can be done about it.

    `undo` is the address where it is undone, or redone if it is undone; empty for who only reads.
    """

    template: ClassVar[str] = "action.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "chronicle"
    line: Line
    kind: Term | None
    changed: list[ChangedThing]
    undo: str
    request: UndoRequest | None

    @property
    def title(self) -> Part:
        """The action by its number."""
        return say("No. {seq}", seq=self.line.seq)


@get(read_paths("/chronicle"))
async def chronicle(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    before: BeforeQuery = None,
    character: FromQuery[str] = "",
    actor: FromQuery[str] = "",
    type: FromQuery[str] = "",  # noqa: A002 — the API's name for it
    text: FromQuery[str] = "",
    session: FromQuery[str] = "",
) -> Response[bytes]:
    """The last lines, or the last before one, that pass the filters; now, or up to a moment."""
    read = await reading(application, request, visitor, campaign)
    seen = read.seen
    asked = ChronicleFilter(
        character,
        actor,
        type,
        text[:TEXT_MAX],
        session,
        _characters(seen),
        _people(seen),
        _kinds(seen),
        [
            SessionOption(str(each.number), session_title(each.number, each.title), each.began_at)
            for each in read.sessions
        ],
    )
    after, end = _span(read, session)
    upto = end if before is None else min(before, end)
    page = await actions_page(
        application.log,
        application.views,
        seen,
        after,
        LINES,
        _filters(asked),
        upto,
    )
    lines = await lines_of(application, seen, page)
    return shown(
        request,
        visitor,
        ChroniclePage(
            **frame_of(read.now),
            time=read.time,
            lines=in_sessions(lines, read.sessions),
            filter=asked,
            earlier=_address(read, asked, page.next_before) if page.next_before is not None else "",
            latest=_address(read, asked, None) if before is not None else "",
            searched=upto - page.next_before if page.next_before is not None else 0,
            may_lead=not read.time.is_past and seen.role == "gm",
        ),
    )


@get(read_paths("/a/{seq:int}"))
async def one_line(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    seq: FromPath[int],
) -> Response[bytes]:
    """The action that an event belongs to, by the event's seq."""
    seen = await seen_by(application, visitor, campaign)
    page = await page_at(application, seen, seq)
    [entry], [line] = page.actions, await lines_of(application, seen, page)
    changed = await changes_of(application, seen, entry) if entry.type is not None else None
    return shown(
        request,
        visitor,
        ActionPage(
            **frame_of(seen),
            line=line,
            kind=command_title(entry.type) if entry.type is not None else None,
            changed=InWords(seen, names_in(changed, seen)).all(changed) if changed is not None else [],
            undo=_undo_path(seen, entry),
            request=_request(seen, entry),
        ),
    )


def _undo_path(seen: VisibleCampaign, entry: ActionEntry) -> str:
    if entry.type is None or seen.role == "observer":
        return ""
    return f"{action_path(seen, entry.seq)}/{'undo' if entry.undone_in is None else 'redo'}"


def _request(seen: VisibleCampaign, entry: ActionEntry) -> UndoRequest | None:
    asked_by = seen.state.undo_requests.get(entry.action_id)
    if asked_by is None:
        return None
    told = say("{who} asks to undo this.", who=seen.name(asked_by))
    return UndoRequest(told, seen.role == "gm", asked_by == seen.account)


async def page_at(application: Application, seen: VisibleCampaign, seq: int) -> ActionsPage:
    """The page of one action: that which an event belongs to, by its seq. Raises `NotFoundException`."""
    page = await actions_page(application.log, application.views, seen, 0, 1, UNFILTERED, min(seq, seen.seq) + 1)
    if not page.actions or not page.actions[0].seq <= seq <= page.actions[0].last_seq:
        raise NotFoundException
    return page


def _filters(asked: ChronicleFilter) -> Filters:
    try:
        actor = AccountId(UUID(asked.actor)) if asked.actor else None
    except ValueError:
        raise Malformed("A person is named by the id of an account.") from None
    return Filters(asked.character or None, actor, asked.type or None, asked.text or None)


def _characters(seen: VisibleCampaign) -> list[Option]:
    return [Option(str(each.character), each.name) for each in roster(seen.state, seen.name)]


def _people(seen: VisibleCampaign) -> list[Option]:
    return [Option(str(each.account), each.name) for each in members(seen.state, seen.name)]


def _kinds(seen: VisibleCampaign) -> list[OptionGroup]:
    """The commands of the campaign and of its games, by their groups."""
    language = seen.language
    return [
        OptionGroup(
            render(title, language),
            [Option(command, render(command_title(command), language)) for command in commands],
        )
        for room in ROOMS
        if room in seen.state.systems or room == ROOMS[0]
        for title, commands in groups_of(room)
    ]


def _span(read: Reading, session: str) -> tuple[int, int]:
    """After and before which seq the lines stand that are looked for: those of a play session, or all."""
    end = read.seen.seq + 1
    if not session:
        return 0, end
    found = next((each for each in read.sessions if str(each.number) == session), None)
    return (found.first - 1, min(found.last + 1, end)) if found is not None else (end, end)


def in_sessions(lines: list[Line], sessions: list[PlaySession]) -> list[Line]:
    """The same lines; where they go over into another play session, a rule names it although it began before."""
    found, number = [], 0
    for line in lines:
        begun = [each for each in sessions if each.first <= max(line.seq, line.until)]
        running = begun[-1] if begun else None
        if running is not None and running.number != number and (line.rule is None or line.rule.title is None):
            line = structs.replace(line, rule=Rule(session_title(running.number, running.title), line.at))  # noqa: PLW2901 — the same line
        number = running.number if running is not None else 0
        found.append(line)
    return found


def _address(read: Reading, asked: ChronicleFilter, before: int | None) -> str:
    said = {
        "character": asked.character,
        "actor": asked.actor,
        "type": asked.type,
        "text": asked.text,
        "session": asked.session,
        "at": read.at or "",
    }
    query = {name: value for name, value in said.items() if value} | ({} if before is None else {"before": before})
    return f"{campaign_path(read.seen)}/chronicle" + (f"?{urlencode(query)}" if query else "")
