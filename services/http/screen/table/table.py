"""`/c/{campaign}/table`: the campaign on one screen, and each panel of it by itself, for a page that is open."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Literal, TypeAlias

import msgspec
from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Response
from markupsafe import Markup
from msgspec import Struct, structs

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import AddNote, RollDice
from domain.campaign.play.characters import characters, system_of
from domain.campaign.play.notes import note_empty
from domain.campaign.settings import OWN, settings_of
from domain.ids import AccountId, CharacterId
from domain.rejection import Rejection
from domain.sentences import ENGLISH, Part, Sentence, say
from projections.boards import boards
from projections.campaign.campaign_view import roster
from projections.sheet_page import SheetPage, Telling, sheet_page
from projections.sheets import sheet
from projections.word_list import word_list
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.submit import done_before, submit_command
from services.http.route_parameters import AfterQuery, KeyHeader, checked_key
from services.http.screen.chronicle.chronicle import UNFILTERED
from services.http.screen.commands.command_list import ADD_NOTE, CommandList
from services.http.screen.commands.command_page import CommandEntry, CommandPage
from services.http.screen.commands.commands import can_do, path_after
from services.http.screen.commands.play_table import play_table, table_of
from services.http.screen.money.statement_lines import PurseLine, purse
from services.http.screen.shared.campaign_page import (
    CampaignPage,
    campaign_path,
    frame_of,
    watched_paths,
)
from services.http.screen.shared.chronicle_lines import Line, OwnAction, happened_of, lines_of
from services.http.screen.shared.first_steps import (
    BEFORE,
    FirstStep,
    FirstSteps,
    builders,
    first_steps,
    sheet_builders,
)
from services.http.screen.shared.forms import read_form
from services.http.screen.shared.page_responses import HTML, REFUSED, see_other, show_page
from services.http.screen.shared.screen_build import build
from services.http.screen.shared.security_headers import page_headers
from services.http.screen.shared.sheet_links import FATES, SheetLink, SheetLinks, explained_at, in_story_first
from services.http.screen.shared.templates import render_template
from services.http.screen.shared.time_line import MOMENT, reading
from services.http.screen.shared.visitor import WATCHING, Visit, open_campaign
from services.http.screen.table.boards import DrawnBoard, drawn_board
from services.http.streamed_answer import NDJSON, GradualAnswer
from services.reading.awaited_answers import awaited_from_reader
from services.reading.chronicle import actions_page
from services.reading.names_in_answers import names_in
from services.runtime.reader_language import reader_language, reader_time_zone

LINES = 50
NEW_LINES_MAX = 200
"""An open page that missed more reads its panels again instead."""


Alike: TypeAlias = Literal["audience", "stands"] | None
"""Readers that are shown the same: an audience, where the log is told; all who know the same of how the campaign
stands, where that is drawn, and are led to the same builders; None: no two readers."""


class Panel(Struct, frozen=True):
    """A part of the table. Its template is a `section` with its name, which stands by itself.

    One that is `alike` to several readers is drawn for them once.
    `words` are those of what `touches` names that each panel of the kind is drawn from.
    """

    template: ClassVar[str]
    title: ClassVar[Sentence]
    alike: ClassVar[Alike] = None
    words: ClassVar[tuple[str, ...]]
    path: str

    @property
    def of(self) -> tuple[str, ...]:
        """The reads it is drawn from: an open page asks for it again after an action that touches one of these."""
        return self.words


OPENED = "opened:here"
"""In a drawn panel: when it is sent, the beginning of its forms' keys is put in place of this."""

MadePanel: TypeAlias = tuple[type[Panel], Callable[[Application, VisibleCampaign, str], Awaitable[Panel]]]
"""A kind of panel, and what makes it: `done`, what the address says that the reader just did, comes last."""

Panels: TypeAlias = Mapping[str, MadePanel]
"""The panels of a page in its order."""


class OwnSheet(Struct, frozen=True):
    """A sheet of the reader's, the way to its page, and where it leads."""

    character: CharacterId
    path: str
    sheet: SheetPage
    links: SheetLinks
    purse: list[PurseLine]
    """All that its person has in the ledger and no sheet keeps."""


class SheetsPanel(Panel, frozen=True):
    """The sheets of the characters that the reader plays, and the way to all others.

    `first` is what to do while there are none.
    """

    template: ClassVar[str] = "table_sheets.html"
    title: ClassVar[Sentence] = say("Sheets")
    words: ClassVar[tuple[str, ...]] = ("sheets", "ledger")
    own: list[OwnSheet]
    others: list[SheetLink]
    first: FirstSteps | None
    builders: Sequence[FirstStep] = ()
    """Where more characters are made."""

    @property
    def of(self) -> tuple[str, ...]:
        """The list of all sheets, and its own ones; while there are none, what can be done about that."""
        first = () if self.first is None else ("commands",)
        return (*self.words, *(f"sheet:{sheet.character}" for sheet in self.own), *first)


class DoPanel(Panel, frozen=True):
    """The answers waited for, the reader's commands, and whether they may write into the chronicle."""

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
    account: AccountId
    form: CommandPage
    thrown: OwnAction | None

    @property
    def of(self) -> tuple[str, ...]:
        """The reads of its form, and the rolls of its reader."""
        return (*self.words, f"rolls:{self.account}")


class BoardsPanel(Panel, frozen=True):
    """Every board of the campaign, drawn."""

    template: ClassVar[str] = "table_boards.html"
    title: ClassVar[Sentence] = say("Boards")
    alike: ClassVar[Alike] = "stands"
    words: ClassVar[tuple[str, ...]] = ("boards", "board")
    boards: list[DrawnBoard]
    builders: Sequence[FirstStep] = ()
    """The pages on which a GM sets up what is not there yet."""


class ChroniclePanel(Panel, frozen=True):
    """The last lines; each leads to what undoing it would do, but not on a table of the past."""

    template: ClassVar[str] = "table_chronicle.html"
    title: ClassVar[Sentence] = say("Chronicle")
    alike: ClassVar[Alike] = "audience"
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
    campaign: str
    build: str
    happened: OwnAction | None
    awaited: list[str]
    """The answers that the table waits for from the reader, in sentences; empty for a GM who reads as a member."""
    panels: Mapping[str, Markup]
    titles: Mapping[str, Sentence]

    @property
    def panels_path(self) -> str:
        """The beginning of the path of each panel."""
        return f"{self.path}/table"

    @property
    def title(self) -> Part:
        """The campaign's name."""
        return self.name


class StreamPage(TablePage, frozen=True):
    """The boards and the chronicle of a campaign, for a stream, as of one seq."""

    template: ClassVar[str] = "stream.html"


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


@get(watched_paths("/table"))
async def table(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Every panel, all as of one seq, now or at a moment; `?done=` says what the reader just did."""
    if MOMENT & visit.request.query_params.keys():
        return await _past_table(visit)
    visible = (await open_campaign(visit)).standing_still()
    last_action = visit.request.query_params.get("done", "")
    panels = WATCHED_PANELS if visible.watching_code else PANELS
    return show_page(visit, TablePage(**await table_parts(visit.application, visible, panels, last_action)))


@get(["/c/{campaign:str}/table/{panel:str}", f"/watch/{{{WATCHING}:str}}/table/{{panel:str}}"])
async def one_panel(
    visit: NamedDependency[Visit], panel: FromPath[str], after: AfterQuery = None
) -> Response[bytes]:
    """A panel as the table has it, or several; of the chronicle, with `after`, only the lines after a seq."""
    visible = await open_campaign(visit)
    panels = WATCHED_PANELS if visible.watching_code else PANELS
    return await panels_alone(visit.application, visit.request, visible, panels, panel, after)


@get(f"/watch/{{{WATCHING}:str}}/stream")
async def stream(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Boards and chronicle without what is around them, for a picture of them in a stream."""
    visible = (await open_campaign(visit)).standing_still()
    return show_page(visit, StreamPage(**await table_parts(visit.application, visible, STREAMED_PANELS)))


async def _past_table(visit: Visit) -> Response[bytes]:
    """The table at a moment. The end of the line is now, where there is the table itself."""
    moment = await reading(visit)
    if not moment.time.is_past:
        return see_other(f"{campaign_path(moment.now)}/table")
    visible = moment.campaign.standing_still()
    lines = await _chronicle(visit.application, visible, "")
    panels: dict[str, Panel] = {
        "sheets": _sheets_of(visible, BEFORE, moment.time.query),
        "boards": _boards_of(visible, visible.seq),
        "chronicle": structs.replace(lines, has_earlier=False, is_past=True),
    }
    language = reader_language() or ENGLISH
    pieces = [render_template(panel.template, language, panel=panel, name=name) for name, panel in panels.items()]
    page = PastTablePage(**frame_of(moment.now), time=moment.time, panels=[Markup(piece) for piece in pieces])  # noqa: S704 — escaped by the templates
    return show_page(visit, page)


async def table_parts(
    application: Application, campaign: VisibleCampaign, panels: Panels, last_action: str = ""
) -> dict[str, Any]:
    """The values with which a page of panels is made; `last_action` says what the reader just did."""
    key_prefix = str(application.entropy.new_id())
    return {
        **frame_of(campaign),
        "seq": campaign.seq,
        "happened": await happened_of(application, campaign, last_action),
        "awaited": [choice.told for choice in awaited_from_reader(campaign)],
        "campaign": str(campaign.campaign_id),
        "build": build(),
        "panels": {
            name: await _fragment(application, campaign, panels[name], name, key_prefix, last_action)
            for name in panels
        },
        "titles": {name: kind.title for name, (kind, _) in panels.items()},
    }


async def panels_alone(
    application: Application,
    request: Request[Any, Any, Any],
    campaign: VisibleCampaign,
    panels: Panels,
    name_list: str,
    after: int | None,
) -> Response[bytes]:
    """A panel of a page, for who has the page open; with `after`, the lines of the chronicle after a seq.

    `name_list` is its name, or several with commas between them. Several come as lines of JSON, each with a name
    and its HTML, in the order in which they are asked for and as soon as they are drawn.
    """
    names = [*dict.fromkeys(name_list.split(","))]
    if not panels.keys() >= {*names}:
        raise NotFoundException
    language = reader_language() or ENGLISH
    headers = {**page_headers(request.scope), "Content-Language": language}
    if after is not None:
        html = await _new_lines(application, campaign, after)
        return Response(html.encode(), media_type=HTML, headers=headers)
    last_action, seq = request.query_params.get("done", ""), str(campaign.seq)
    are_drawn = all(_key_of(campaign, panels[name], name) in campaign.cache for name in names)
    still = campaign if are_drawn else campaign.standing_still()

    async def draw(name: str) -> str:
        return await _fragment(application, still, panels[name], name, seq, last_action)

    if len(names) == 1:
        return Response((await draw(names[0])).encode(), media_type=HTML, headers=headers)
    return GradualAnswer([partial(_line_of, name, draw) for name in names], NDJSON, headers)


async def _line_of(name: str, draw: Callable[[str], Awaitable[str]]) -> bytes:
    return msgspec.json.encode((name, str(await draw(name)))) + b"\n"


async def _fragment(
    application: Application,
    campaign: VisibleCampaign,
    panel: MadePanel,
    name: str,
    key_prefix: str,
    last_action: str,
) -> Markup:
    """A panel as HTML in the reader's language; `last_action` is what the reader just did.

    The keys of its forms begin with `key_prefix`: something new on a page. A panel that a script asks for says the
    seq, so that it need not be sent while nothing has changed: the script sends its forms with keys of its own.
    """
    kind, make_panel = panel
    language = reader_language() or ENGLISH
    key = _key_of(campaign, panel, name)
    html = campaign.cache.get(key) if kind.alike else None
    if html is None:
        html = render_template(
            kind.template, language, panel=await make_panel(application, campaign, last_action), name=name
        )
        if kind.alike:
            campaign.cache[key] = html
    return Markup(html.replace(OPENED, key_prefix))  # noqa: S704 — escaped by the template


def _key_of(campaign: VisibleCampaign, panel: MadePanel, name: str) -> tuple[Any, ...]:
    """The key of a panel that is alike to several readers: all that it is drawn from."""
    kind, _ = panel
    people = tuple(map(campaign.name, (*campaign.state.members, *campaign.state.former_members)))
    whose: tuple[Any, ...] = (campaign.audience,)
    if kind.alike == "stands":
        whose = (campaign.content, *(step.path for step in builders(campaign, "/table", "fight")))
    return (name, campaign_path(campaign), whose, reader_language() or ENGLISH, reader_time_zone(), people)


@post("/c/{campaign:str}/notes")
async def write_note(visit: NamedDependency[Visit], key: KeyHeader = None) -> Response[bytes]:
    """Write something down for the table; sent again with the same key, it is written once.

    Each form that is shown has a key; a script, which sends from the same form several times, says its own.
    """
    account, campaign_id, form = (
        visit.signed_in.account_id,
        visit.campaign_id,
        await read_form(visit.request),
    )
    back, text = f"/c/{campaign_id}/table", form.value("text").replace("\r\n", "\n")
    await visit.application.rates.act(campaign_id, account)
    try:
        act = ActRequest(command=msgspec.convert({"text": text}, AddNote))
        once = checked_key(key or form.value("key") or None)
        before = await done_before(visit.application, campaign_id, account, None if key else once)
        answer = await submit_command(visit.application, campaign_id, account, act, key=once)
    except (msgspec.ValidationError, Rejection) as failure:
        # The command's form says why, and keeps what was written.
        refusal = failure if isinstance(failure, Rejection) else None
        if not text.strip():
            refusal = note_empty()
        own = await play_table(visit)
        entry = CommandEntry(own, AddNote, [("c.text", text), ("next", back)], is_sent=True)
        entry.request()
        page = await entry.page(refusal)
        return show_page(visit, page, REFUSED)
    return see_other(back if before is None else path_after(back, answer, is_before=True))


async def _sheets(application: Application, campaign: VisibleCampaign, _: str) -> SheetsPanel:
    has_none = not roster(campaign.state, campaign.name)
    first = await first_steps(application, campaign, "/table") if has_none else None
    return _sheets_of(campaign, first, builders_here=[] if has_none else sheet_builders(campaign, "/table"))


def _sheets_of(
    campaign: VisibleCampaign, first: FirstSteps | None, moment: str = "", builders_here: Sequence[FirstStep] = ()
) -> SheetsPanel:
    """The sheets; `moment` is what their addresses end with to be read as they were then.

    `builders_here` is where more are made.
    """
    path, at = f"{campaign_path(campaign)}/sheets", campaign.seq if moment else None
    own = [
        str(character.character)
        for character in characters(campaign.state)
        if character.player == campaign.account
    ]
    links = {
        str(character.character): f"{path}/{character.character}{moment}"
        for character in roster(campaign.state, campaign.name)
    }
    return SheetsPanel(
        path=campaign_path(campaign),
        own=[
            OwnSheet(
                CharacterId(character),
                links[character],
                _sheet(campaign, CharacterId(character)),
                SheetLinks(links, explained_at(f"{path}/{character}", at)),
                purse(campaign, CharacterId(character), at),
            )
            for character in own
        ],
        others=[
            SheetLink(
                links[character.character],
                character.name,
                character.player_name or "",
                fate=FATES.get(character.fate),
            )
            for character in in_story_first(roster(campaign.state, campaign.name))
            if character.character not in own
        ],
        first=first,
        builders=builders_here,
    )


def _sheet(campaign: VisibleCampaign, character: CharacterId) -> SheetPage:
    words, system = word_list(campaign.language), system_of(campaign.state, character)
    view = msgspec.to_builtins(sheet(campaign.state, system, character))
    calendar = settings_of(OWN, campaign.state.changed_settings).calendar
    return sheet_page(words, words.sheets[system], view, Telling(names_in(view, campaign), calendar))


async def _do(application: Application, campaign: VisibleCampaign, _: str) -> DoPanel:
    path, table = campaign_path(campaign), table_of(application, campaign, OPENED)
    can = await can_do(table, f"{path}/table")
    doings = [doing for group in can.groups for doing in group.doings]
    ways = table.ways(path)
    may_write = any(doing.action == ways.action(ADD_NOTE) for doing in doings)
    return DoPanel(path, can, may_write, ways.key(ADD_NOTE))


async def _dice(application: Application, campaign: VisibleCampaign, last_action: str) -> DicePanel:
    table = table_of(application, campaign, OPENED)
    form = CommandEntry(table, RollDice, [("next", f"{table.path}/table")], is_sent=False)
    thrown = await happened_of(application, campaign, last_action)
    shows_dice = thrown is not None and thrown.line is not None and thrown.line.rolls
    return DicePanel(table.path, campaign.account, await form.page(), thrown if shows_dice else None)


async def _boards(_: Application, campaign: VisibleCampaign, __: str) -> BoardsPanel:
    return structs.replace(_boards_of(campaign), builders=builders(campaign, "/table", "fight"))


def _boards_of(campaign: VisibleCampaign, at: int | None = None) -> BoardsPanel:
    """The boards, now or as of the seq of a past moment."""
    language = reader_language() or campaign.language
    return BoardsPanel(
        campaign_path(campaign), [drawn_board(campaign, entry, at) for entry in boards(campaign.state, language)]
    )


async def _chronicle(application: Application, campaign: VisibleCampaign, _: str) -> ChroniclePanel:
    page = await actions_page(application.log, application.views, campaign, 0, LINES, UNFILTERED, campaign.seq + 1)
    lines = await lines_of(application, campaign, page)
    return ChroniclePanel(campaign_path(campaign), lines, page.next_before is not None)


async def _new_lines(application: Application, campaign: VisibleCampaign, after: int) -> str:
    page = await actions_page(application.log, application.views, campaign, after, NEW_LINES_MAX, UNFILTERED)
    lines = await lines_of(application, campaign, page, is_going_on=True)
    return render_template("new_lines.html", reader_language() or ENGLISH, lines=lines)


PANELS: Panels = {
    "sheets": (SheetsPanel, _sheets),
    "do": (DoPanel, _do),
    "boards": (BoardsPanel, _boards),
    "dice": (DicePanel, _dice),
    "chronicle": (ChroniclePanel, _chronicle),
}
"""Every panel of the table in the order of its page, and what makes it."""

WATCHED_PANELS: Panels = {name: PANELS[name] for name in ("sheets", "boards", "chronicle")}
"""Those with nothing of one reader."""

STREAMED_PANELS: Panels = {name: PANELS[name] for name in ("boards", "chronicle")}
