"""`/c/{campaign}/chronicle`: the chronicle, line by line, and `/c/{campaign}/a/{seq}`: one action."""

from collections.abc import Sequence
from typing import ClassVar
from urllib.parse import urlencode
from uuid import UUID

from litestar import get
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
from projections.titles import ROOMS, command_title, groups_of
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.errors import unknown_value
from services.http.middleware.time_limit import takes_long_by_words
from services.http.route_parameters import BeforeQuery
from services.http.screen.shared.campaign_page import (
    CampaignPage,
    campaign_path,
    frame_of,
    watched_paths,
)
from services.http.screen.shared.changed_values import ChangedThing, InWords
from services.http.screen.shared.chronicle_lines import Line, Rule, action_path, lines_of
from services.http.screen.shared.page_responses import show_page
from services.http.screen.shared.time_line import Reading, reading
from services.http.screen.shared.visitor import Visit, open_campaign
from services.reading.chronicle import ActionsPage, Filters, actions_page
from services.reading.diff import changes_of
from services.reading.names_in_answers import names_in
from services.reading.parameters import require_kind
from services.reading.play_session import PlaySession, session_title

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
    """The filters that can be set, and those that are: empty texts leave out nothing."""

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
        """The wanted kind of action, as people call it."""
        kinds = [option for group in self.kinds for option in group.options]
        among: tuple[tuple[str, Sequence[Option | SessionOption]], ...] = (
            (self.character, self.characters),
            (self.actor, self.people),
            (self.session, self.sessions),
            (self.type, kinds),
        )
        titles = [
            option.title for value, options in among for option in options if value and option.value == value
        ]
        return [*titles, *([say("“{words}”", words=self.text)] if self.text else [])]


class ChroniclePage(CampaignPage, frozen=True):
    """A page of the chronicle."""

    template: ClassVar[str] = "chronicle.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "chronicle"
    lines: list[Line]
    """The newest last."""
    filter: ChronicleFilter
    earlier: str
    """The address of the page before."""
    latest: str
    """The address of the page at the end."""
    searched: int
    """How many events were looked through, where that was not all of them."""
    may_lead: bool
    """The reader can fork and reveal, but not on a page of the past."""

    @property
    def title(self) -> Sentence:
        """The page's title."""
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


@get(watched_paths("/chronicle"), guards=[takes_long_by_words])
async def chronicle(
    visit: NamedDependency[Visit],
    before: BeforeQuery = None,
    character: FromQuery[str] = "",
    actor: FromQuery[str] = "",
    type: FromQuery[str] = "",  # noqa: A002 — the name in the address
    text: FromQuery[str] = "",
    session: FromQuery[str] = "",
) -> Response[bytes]:
    """The last lines, or the last before one, that pass the filters; now, or up to a moment.

    Refuses `unknown_value`.
    """
    moment = await reading(visit)
    visible = moment.campaign
    search = ChronicleFilter(
        character,
        actor,
        type,
        text[:TEXT_MAX],
        session,
        _characters(visible),
        _people(visible),
        _kinds(visible),
        [
            SessionOption(
                str(play_session.number),
                session_title(play_session.number, play_session.title),
                play_session.began_at,
            )
            for play_session in moment.sessions
        ],
    )
    after, end = _span(moment, session)
    upto = end if before is None else min(before, end)
    page = await actions_page(
        visit.application.log,
        visit.application.views,
        visible,
        after,
        LINES,
        _filters(search),
        upto,
    )
    lines = await lines_of(visit.application, visible, page)
    return show_page(
        visit,
        ChroniclePage(
            **frame_of(moment.now),
            time=moment.time,
            lines=in_sessions(lines, moment.sessions),
            filter=search,
            earlier=_address(moment, search, page.next_before) if page.next_before is not None else "",
            latest=_address(moment, search, None) if before is not None else "",
            searched=upto - page.next_before if page.next_before is not None else 0,
            may_lead=not moment.time.is_past and visible.role == "gm",
        ),
    )


@get(watched_paths("/a/{seq:int}"))
async def one_line(visit: NamedDependency[Visit], seq: FromPath[int]) -> Response[bytes]:
    """The action that an event belongs to, by the event's seq."""
    visible = await open_campaign(visit)
    page = await page_at(visit.application, visible, seq)
    [entry], [line] = page.actions, await lines_of(visit.application, visible, page)
    changes = await changes_of(visit.application, visible, entry) if entry.type is not None else None
    return show_page(
        visit,
        ActionPage(
            **frame_of(visible),
            line=line,
            kind=command_title(entry.type) if entry.type is not None else None,
            changed=InWords(visible, names_in(changes, visible)).all(changes) if changes is not None else [],
            undo=_undo_path(visible, entry),
            request=_request(visible, entry),
        ),
    )


def _undo_path(campaign: VisibleCampaign, entry: ActionEntry) -> str:
    if entry.type is None or campaign.role == "observer":
        return ""
    return f"{action_path(campaign, entry.seq)}/{'undo' if entry.undone_in is None else 'redo'}"


def _request(campaign: VisibleCampaign, entry: ActionEntry) -> UndoRequest | None:
    asked_by = campaign.state.undo_requests.get(entry.action_id)
    if asked_by is None:
        return None
    sentence = say("{who} asks to undo this.", who=campaign.name(asked_by))
    return UndoRequest(sentence, campaign.role == "gm", asked_by == campaign.account)


async def page_at(application: Application, campaign: VisibleCampaign, seq: int) -> ActionsPage:
    """The page of one action: that which an event belongs to, by its seq. Raises `NotFoundException`."""
    page = await actions_page(
        application.log, application.views, campaign, 0, 1, UNFILTERED, min(seq, campaign.seq) + 1
    )
    if not page.actions or not page.actions[0].seq <= seq <= page.actions[0].last_seq:
        raise NotFoundException
    return page


def _filters(search: ChronicleFilter) -> Filters:
    try:
        actor = AccountId(UUID(search.actor)) if search.actor else None
    except ValueError:
        raise unknown_value("actor", search.actor) from None
    require_kind(search.type)
    return Filters(search.character or None, actor, search.type or None, search.text or None)


def _characters(campaign: VisibleCampaign) -> list[Option]:
    return [
        Option(str(character.character), character.name) for character in roster(campaign.state, campaign.name)
    ]


def _people(campaign: VisibleCampaign) -> list[Option]:
    return [Option(str(member.account), member.name) for member in members(campaign.state, campaign.name)]


def _kinds(campaign: VisibleCampaign) -> list[OptionGroup]:
    """The commands of the campaign and of its games, by their groups."""
    language = campaign.language
    return [
        OptionGroup(
            render(title, language),
            [Option(command, render(command_title(command), language)) for command in commands],
        )
        for room in ROOMS
        if room in campaign.state.systems or room == ROOMS[0]
        for title, commands in groups_of(room)
    ]


def _span(moment: Reading, session: str) -> tuple[int, int]:
    """After and before which seq the lines stand that are looked for: those of a play session, or all."""
    end = moment.campaign.seq + 1
    if not session:
        return 0, end
    for play_session in moment.sessions:
        if str(play_session.number) == session:
            return play_session.first - 1, min(play_session.last + 1, end)
    raise unknown_value("session", session)


def in_sessions(lines: list[Line], sessions: list[PlaySession]) -> list[Line]:
    """The same lines; where they go over into another play session, a rule names it although it began before."""
    ruled_lines, number = [], 0
    for line in lines:
        past_sessions = [session for session in sessions if session.first <= max(line.seq, line.until)]
        running = past_sessions[-1] if past_sessions else None
        if running is not None and running.number != number and (line.rule is None or line.rule.title is None):
            line = structs.replace(line, rule=Rule(session_title(running.number, running.title), line.at))  # noqa: PLW2901 — the same line
        number = running.number if running is not None else 0
        ruled_lines.append(line)
    return ruled_lines


def _address(moment: Reading, search: ChronicleFilter, before: int | None) -> str:
    parameters = {
        "character": search.character,
        "actor": search.actor,
        "type": search.type,
        "text": search.text,
        "session": search.session,
        "at": moment.at or "",
    }
    query = {name: value for name, value in parameters.items() if value} | (
        {} if before is None else {"before": before}
    )
    return f"{campaign_path(moment.campaign)}/chronicle" + (f"?{urlencode(query)}" if query else "")
