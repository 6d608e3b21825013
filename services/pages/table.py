"""`/c/{campaign}/table`: the campaign on one screen, and each panel of it by itself, for a page that is open."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar, TypeAlias

import msgspec
from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Response
from markupsafe import Markup
from msgspec import Struct, structs

from domain.campaign.commands import AddNote, RollDice
from domain.campaign.play.characters import characters, system_of
from domain.campaign.request import ActRequest
from domain.campaign.settings import OWN, settings_of
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.ids import CharacterId
from domain.rejection import Rejection
from domain.sentences import ENGLISH, Part, Sentence, say
from projections.boards import boards
from projections.campaign.campaign_view import roster
from projections.sheet_page import SheetPage, Telling, sheet_page
from projections.sheets import sheet
from projections.word_list import word_list
from services.api.actions import KeyHeader, checked_key
from services.api.live import EventStream, FromQueryAfter, LastEventId, begin_of, opened
from services.api.paths import AfterQuery, campaign_of
from services.application import Application
from services.commands.submit import submit_command
from services.pages.boards import DrawnBoard, drawn_board
from services.pages.chronicle import UNFILTERED
from services.pages.commands import can_do
from services.queries.campaign_reader import VisibleCampaign
from services.queries.chronicle import actions_page
from services.queries.live_feed import Feeds
from services.queries.names_in_answers import names_in
from services.runtime.reader_language import reader_language
from services.web.answers import HTML, REFUSED, see_other, shown
from services.web.build import build
from services.web.campaign_page import CampaignPage, campaign_path, frame_of, read_paths, seen_by
from services.web.chronicle_lines import Line, line_of, lines_of
from services.web.command_list import ADD_NOTE, CommandList
from services.web.command_page import CommandEntry, CommandPage
from services.web.first_steps import BEFORE, FirstSteps, first_steps
from services.web.forms import entered
from services.web.live_lines import ToldLines
from services.web.play_table import play_table, table_of
from services.web.security_headers import page_headers
from services.web.sheet_links import SheetLink, SheetLinks, explained_at
from services.web.templates import rendered
from services.web.time_line import reading
from services.web.visitor import Visitor

LINES = 50
NEW_LINES_MAX = 200
"""An open page that missed more reads its panels again instead."""


class Panel(Struct, frozen=True):
    """A part of the table. Its template is a `section` with its name, which stands by itself.

    One that is `alike` shows the same to everybody who knows the same of the campaign, and is drawn for them once.
    `words` are those of what `touches` names that each panel of the kind is drawn from.
    """

    template: ClassVar[str]
    title: ClassVar[Sentence]
    alike: ClassVar[bool] = False
    words: ClassVar[tuple[str, ...]]
    path: str

    @property
    def of(self) -> tuple[str, ...]:
        """What it is drawn from: an open page asks for it again after an action that touches one of these."""
        return self.words


MadePanel: TypeAlias = tuple[type[Panel], Callable[[Application, VisibleCampaign, str], Awaitable[Panel]]]
"""A kind of panel, and what makes it: `done`, the id of what the reader just did, comes last."""

Panels: TypeAlias = Mapping[str, MadePanel]
"""The panels of a page in its order."""


class OwnSheet(Struct, frozen=True):
    """A sheet of the reader's, the way to its page, and where it leads."""

    character: CharacterId
    path: str
    sheet: SheetPage
    links: SheetLinks


class SheetsPanel(Panel, frozen=True):
    """The sheets of the characters that the reader plays, and the way to all others.

    `first` is what to do while there are none.
    """

    template: ClassVar[str] = "table_sheets.html"
    title: ClassVar[Sentence] = say("Sheets")
    words: ClassVar[tuple[str, ...]] = ("sheets",)
    own: list[OwnSheet]
    others: list[SheetLink]
    first: FirstSteps | None

    @property
    def of(self) -> tuple[str, ...]:
        """The list of all sheets, and its own ones; while there are none, what can be done about that."""
        first = () if self.first is None else ("commands",)
        return (*self.words, *(f"sheet:{each.character}" for each in self.own), *first)


class DoPanel(Panel, frozen=True):
    """What is waited for, what the reader can do, and whether they may write into the chronicle."""

    template: ClassVar[str] = "table_do.html"
    title: ClassVar[Sentence] = say("What can be done")
    words: ClassVar[tuple[str, ...]] = ("commands", "members")
    can: CommandList
    may_write: bool
    note_key: str


class DicePanel(Panel, frozen=True):
    """The dice tray: the form of a free roll for anybody; `thrown` is what the reader threw just now."""

    template: ClassVar[str] = "table_dice.html"
    title: ClassVar[Sentence] = say("Dice")
    words: ClassVar[tuple[str, ...]] = ("sheets", "members")
    form: CommandPage
    thrown: Line | None


class BoardsPanel(Panel, frozen=True):
    """Every board of the campaign, drawn."""

    template: ClassVar[str] = "table_boards.html"
    title: ClassVar[Sentence] = say("Boards")
    alike: ClassVar[bool] = True
    words: ClassVar[tuple[str, ...]] = ("boards", "board")
    boards: list[DrawnBoard]


class ChroniclePanel(Panel, frozen=True):
    """The last lines; each leads to what undoing it would do, but not on a table of the past."""

    template: ClassVar[str] = "table_chronicle.html"
    title: ClassVar[Sentence] = say("Chronicle")
    alike: ClassVar[bool] = True
    words: ClassVar[tuple[str, ...]] = ("chronicle",)
    lines: list[Line]
    has_earlier: bool
    is_past: bool = False


class TablePage(CampaignPage, frozen=True):
    """A campaign on one screen, as of one seq: `panels` are by name, as HTML.

    `happened` is what the reader just did.
    """

    template: ClassVar[str] = "table.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "table"
    seq: int
    feed: str
    build: str
    happened: Line | None
    panels: Mapping[str, Markup]
    titles: Mapping[str, Sentence]

    @property
    def panels_path(self) -> str:
        """What the path of each panel begins with."""
        return f"{self.path}/table"

    @property
    def title(self) -> Part:
        """The campaign's name."""
        return self.name


class PastTablePage(CampaignPage, frozen=True):
    """The table as it was at a moment, without what acts: its `panels` as HTML."""

    template: ClassVar[str] = "past_table.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "table"
    panels: list[Markup]

    @property
    def title(self) -> Part:
        """The campaign's name."""
        return self.name


@get(read_paths("/table"))
async def table(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """Every panel, all as of one seq, now or at a moment; `?done=` is the id of what the reader just did."""
    if {"at", "near"} & request.query_params.keys():
        return await _past_table(application, request, visitor, campaign)
    seen = standing_still(await seen_by(application, visitor, campaign))
    done = request.query_params.get("done", "")
    return shown(request, visitor, TablePage(**await table_parts(application, seen, PANELS, done)))


@get("/c/{campaign:str}/table/{panel:str}")
async def one_panel(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    panel: FromPath[str],
    after: AfterQuery = None,
) -> Response[bytes]:
    """One panel as the table has it; of the chronicle, with `after`, only the lines after a seq."""
    seen = await seen_by(application, visitor, campaign)
    return await panel_alone(application, request, seen, PANELS, panel, after)


async def _past_table(
    application: Application, request: Request[Any, Any, Any], visitor: Visitor, campaign: str
) -> Response[bytes]:
    """The table at a moment. The end of the line is now, where there is the table itself."""
    read = await reading(application, request, visitor, campaign)
    if not read.time.is_past:
        return see_other(f"{campaign_path(read.now)}/table")
    seen = standing_still(read.seen)
    lines = await _chronicle(application, seen, "")
    panels: dict[str, Panel] = {
        "sheets": _sheets_of(seen, BEFORE, read.time.query),
        "boards": _boards_of(seen, seen.seq),
        "chronicle": structs.replace(lines, has_earlier=False, is_past=True),
    }
    language = reader_language() or ENGLISH
    drawn = [rendered(each.template, language, panel=each, name=name) for name, each in panels.items()]
    page = PastTablePage(**frame_of(read.now), time=read.time, panels=[Markup(each) for each in drawn])  # noqa: S704 — escaped by the templates
    return shown(request, visitor, page)


async def table_parts(
    application: Application, seen: VisibleCampaign, panels: Panels, done: str = ""
) -> dict[str, Any]:
    """What a page of panels is made with; `done` is the id of what the reader just did."""
    return {
        **frame_of(seen),
        "seq": seen.seq,
        "happened": await line_of(application, seen, done),
        "feed": f"{campaign_path(seen)}/live",
        "build": build(),
        "panels": {name: await _fragment(application, seen, panels[name], name, done) for name in panels},
        "titles": {name: kind.title for name, (kind, _) in panels.items()},
    }


async def panel_alone(
    application: Application,
    request: Request[Any, Any, Any],
    seen: VisibleCampaign,
    panels: Panels,
    panel: str,
    after: int | None,
) -> Response[bytes]:
    """One panel of a page, for who has the page open; with `after`, the lines of the chronicle after a seq."""
    if panel not in panels:
        raise NotFoundException
    if after is None:
        done = request.query_params.get("done", "")
        html: str = await _fragment(application, standing_still(seen), panels[panel], panel, done)
    else:
        html = await _new_lines(application, seen, after)
    language = reader_language() or ENGLISH
    headers = {**page_headers(request.scope), "Content-Language": language}
    return Response(html.encode(), media_type=HTML, headers=headers)


async def _fragment(
    application: Application, seen: VisibleCampaign, panel: MadePanel, name: str, done: str
) -> Markup:
    """A panel as HTML in the reader's language; `done` is what the reader just did."""
    kind, made = panel
    language = reader_language() or ENGLISH
    people = tuple(map(seen.name, (*seen.state.members, *seen.state.former_members)))
    key = (name, campaign_path(seen), seen.audience, seen.role, language, people)
    html = seen.made.get(key) if kind.alike else None
    if html is None:
        html = rendered(kind.template, language, panel=await made(application, seen, done), name=name)
        if kind.alike:
            seen.made[key] = html
    return Markup(html)  # noqa: S704 — escaped by the template


@get("/c/{campaign:str}/live")
async def followed(
    application: NamedDependency[Application],
    feeds: NamedDependency[Feeds],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    last_event_id: LastEventId = None,
    after: FromQueryAfter = None,
) -> EventStream:
    """What happens from now on, or after a seq, as lines for a page that is open."""
    reader, begin = visitor.signed_in.account_id, begin_of(last_event_id, after)
    teller = ToldLines(application, feeds)
    known = campaign_of(campaign)
    return await opened(application, feeds, request.scope, reader, known, begin, teller, tells_presence=False)


@post("/c/{campaign:str}/notes")
async def write_note(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    key: KeyHeader = None,
) -> Response[bytes]:
    """Write something down for the table; sent again with the same key, it is written once.

    Each form that is shown has a key; a script, which sends from the same form several times, says its own.
    """
    account, known, form = visitor.signed_in.account_id, campaign_of(campaign), await entered(request)
    back, text = f"/c/{known}/table", form.value("text").replace("\r\n", "\n")
    await application.rates.act(known, account)
    try:
        act = ActRequest(command=msgspec.convert({"text": text}, AddNote))
        await submit_command(application, known, account, act, key=checked_key(key or form.value("key") or None))
    except (msgspec.ValidationError, Rejection) as failure:
        # The command's form says why, and keeps what was written.
        own = await play_table(application, visitor, campaign)
        entry = CommandEntry(own, AddNote, [("c.text", text), ("next", back)], sent=True)
        entry.request()
        page = await entry.page(failure if isinstance(failure, Rejection) else None)
        return shown(request, visitor, page, REFUSED)
    return see_other(back)


def standing_still(seen: VisibleCampaign) -> VisibleCampaign:
    """The same campaign, which does not go on while its parts are put together."""
    return structs.replace(seen, state=decode_state(encode_state(seen.state)))


async def _sheets(application: Application, seen: VisibleCampaign, _: str) -> SheetsPanel:
    has_none = not roster(seen.state, seen.name)
    return _sheets_of(seen, await first_steps(application, seen, "/table") if has_none else None)


def _sheets_of(seen: VisibleCampaign, first: FirstSteps | None, moment: str = "") -> SheetsPanel:
    """The sheets; `moment` is what their addresses end with to be read as they were then."""
    path, at = f"{campaign_path(seen)}/sheets", seen.seq if moment else None
    own = [str(each.character) for each in characters(seen.state) if each.player == seen.account]
    links = {str(each.character): f"{path}/{each.character}{moment}" for each in roster(seen.state, seen.name)}
    return SheetsPanel(
        path=campaign_path(seen),
        own=[
            OwnSheet(
                CharacterId(each),
                links[each],
                _sheet(seen, CharacterId(each)),
                SheetLinks(links, explained_at(f"{path}/{each}", at)),
            )
            for each in own
        ],
        others=[
            SheetLink(links[each.character], each.name, each.player_name or "")
            for each in roster(seen.state, seen.name)
            if each.character not in own
        ],
        first=first,
    )


def _sheet(seen: VisibleCampaign, character: CharacterId) -> SheetPage:
    words, system = word_list(seen.language), system_of(seen.state, character)
    view = msgspec.to_builtins(sheet(seen.state, system, character))
    calendar = settings_of(OWN, seen.state.changed_settings).calendar
    return sheet_page(words, words.sheets[system], view, Telling(names_in(view, seen), calendar))


async def _do(application: Application, seen: VisibleCampaign, _: str) -> DoPanel:
    path, table = campaign_path(seen), table_of(application, seen)
    can = await can_do(table, f"{path}/table")
    doings = [each for group in can.groups for each in group.doings]
    ways = table.ways(path)
    may_write = any(each.action == ways.action(ADD_NOTE) for each in doings)
    return DoPanel(path, can, may_write, ways.key(ADD_NOTE))


async def _dice(application: Application, seen: VisibleCampaign, done: str) -> DicePanel:
    table = table_of(application, seen)
    form = CommandEntry(table, RollDice, [("next", f"{table.path}/table")], sent=False)
    thrown = await line_of(application, seen, done)
    return DicePanel(table.path, await form.page(), thrown if thrown is not None and thrown.rolls else None)


async def _boards(_: Application, seen: VisibleCampaign, __: str) -> BoardsPanel:
    return _boards_of(seen)


def _boards_of(seen: VisibleCampaign, at: int | None = None) -> BoardsPanel:
    """The boards, now or as of the seq of a past moment."""
    language = reader_language() or seen.language
    return BoardsPanel(campaign_path(seen), [drawn_board(seen, each, at) for each in boards(seen.state, language)])


async def _chronicle(application: Application, seen: VisibleCampaign, _: str) -> ChroniclePanel:
    page = await actions_page(application.log, application.views, seen, 0, LINES, UNFILTERED, seen.seq + 1)
    lines = await lines_of(application, seen, page)
    return ChroniclePanel(campaign_path(seen), lines, page.next_before is not None)


async def _new_lines(application: Application, seen: VisibleCampaign, after: int) -> str:
    page = await actions_page(application.log, application.views, seen, after, NEW_LINES_MAX, UNFILTERED)
    lines = await lines_of(application, seen, page, is_going_on=True)
    return rendered("new_lines.html", reader_language() or ENGLISH, lines=lines)


PANELS: Panels = {
    "sheets": (SheetsPanel, _sheets),
    "do": (DoPanel, _do),
    "boards": (BoardsPanel, _boards),
    "dice": (DicePanel, _dice),
    "chronicle": (ChroniclePanel, _chronicle),
}
"""Every panel of the table in the order of its page, and what makes it."""
