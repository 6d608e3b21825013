"""`/c/{id}/sheets` and each sheet there: of a character, or the board that stands for sheets."""

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec
from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response

from domain.campaign.play.characters import system_of
from domain.campaign.settings import OWN, settings_of
from domain.ids import CharacterId, SystemId
from domain.rejection import Missing, Rejection
from domain.sentences import Part, say
from projections.boards import BoardEntry, board, boards
from projections.campaign.campaign_view import roster
from projections.campaign.diff import differences
from projections.sheet_page import SheetPage, Telling, sheet_page
from projections.sheets import sheet
from projections.word_list import word_list
from services.application import Application
from services.pages.boards import board_path
from services.queries.campaign_reader import VisibleCampaign
from services.queries.names_in_answers import names_in
from services.web.answers import shown
from services.web.campaign_page import CampaignPage, campaign_path, frame_of, read_paths
from services.web.changed_values import InWords
from services.web.first_steps import BEFORE, FirstSteps, first_steps
from services.web.ledger_lines import AccountLink, accounts_of
from services.web.printed import Footer, footer_of
from services.web.sheet_links import SheetLink, SheetLinks, explained_at
from services.web.time_line import Reading, reading
from services.web.visitor import Visitor

MISSING = 404


class SheetsPage(CampaignPage, frozen=True):
    """The sheets of a campaign; `first` is what to do while there are none."""

    template: ClassVar[str] = "sheets.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "sheets"
    sheets: tuple[SheetLink, ...]
    first: FirstSteps | None

    @property
    def title(self) -> Part:
        """What the page is called."""
        return say("Sheets")


class OneSheetPage(CampaignPage, frozen=True):
    """A sheet, with the way to the others, and where it leads.

    `sheet` is None before there was one. `accounts` are those of whom it is about. `record` is the address of the
    service record; empty for a board that stands for sheets.
    """

    template: ClassVar[str] = "sheet_page.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "sheets"
    whose: str
    sheet: SheetPage | None
    others: tuple[SheetLink, ...]
    links: SheetLinks
    accounts: list[AccountLink]
    record: str
    footer: Footer

    @property
    def title(self) -> Part:
        """Whose sheet it is."""
        return self.whose


@get(read_paths("/sheets"))
async def all_sheets(
    request: Request[Any, Any, Any],
    application: NamedDependency[Application],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """Every sheet of a campaign, with who plays it, now or at a moment."""
    read = await reading(application, request, visitor, campaign)
    sheets = tuple(_links(read, ""))
    page = SheetsPage(
        **frame_of(read.now),
        time=read.time,
        sheets=sheets,
        first=None
        if sheets
        else BEFORE
        if read.time.is_past
        else await first_steps(application, read.seen, "/sheets"),
    )
    return shown(request, visitor, page)


@get(read_paths("/sheets/{key:str}"))
async def one_sheet(
    request: Request[Any, Any, Any],
    application: NamedDependency[Application],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    key: FromPath[str],
) -> Response[bytes]:
    """The sheet of a character; under the name of a rule system, the board that stands for its sheets."""
    read = await reading(application, request, visitor, campaign)
    seen = read.seen
    try:
        system, struct, view = _view(seen, key)
    except Missing:
        return shown(request, visitor, await _not_yet(application, read, key), MISSING)
    links = tuple(_links(read, key))
    calendar = settings_of(OWN, seen.state.changed_settings).calendar
    sheet = sheet_page(word_list(seen.language), struct, view, Telling(names_in(view, seen), calendar))
    page = OneSheetPage(
        **frame_of(read.now) | {"accent": system},
        time=read.time,
        whose=sheet.title,
        sheet=sheet,
        others=links,
        links=SheetLinks(
            {each.path.rpartition("/")[2].partition("?")[0]: each.path for each in links if not each.is_here},
            explained_at(_explained_path(seen, key), seen.seq if read.time.is_past else None),
            await _before(application, read, key),
        ),
        accounts=accounts_of(seen, key, seen.seq if read.time.is_past else None),
        record="" if key == system else f"{campaign_path(seen)}/sheets/{key}/record",
        footer=await footer_of(application, seen),
    )
    return shown(request, visitor, page)


async def _not_yet(application: Application, read: Reading, key: str) -> OneSheetPage:
    """The page of a sheet that there was none of at a moment. Refuses `character_not_found` if there never was."""
    system, _, view = _view(read.now, key)
    return OneSheetPage(
        **frame_of(read.now) | {"accent": system},
        time=read.time,
        whose=str(view.get("title") or read.now.name(CharacterId(key))),
        sheet=None,
        others=tuple(_links(read, key)),
        links=SheetLinks({}),
        accounts=[],
        record="",
        footer=await footer_of(application, read.seen),
    )


async def _before(application: Application, read: Reading, key: str) -> dict[str, str]:
    """What values of a sheet were at the pinned moment, by their paths, where they differ."""
    if read.time.pin is None:
        return {}
    pinned = await read.at_seq(application, read.time.pin)
    try:
        _, struct, view = _view(read.seen, key)
        _, _, before = _view(pinned, key)
    except Missing:
        return {}
    found = differences(before, view)
    telling = InWords(read.seen, names_in(found, read.seen, pinned))
    told = {each.path: telling.value(struct, each) for each in found}
    return {path: each.before or "\N{EN DASH}" for path, each in told.items() if each is not None}


def _view(seen: VisibleCampaign, key: str) -> tuple[SystemId, str, Mapping[str, Any]]:
    """What a sheet is of, the struct that lays it out, and what it holds. Refuses `character_not_found`."""
    words = word_list(seen.language)
    for entry in _standing_for_sheets(seen):
        if entry.system == key:
            head, drawn = board(seen.state, entry.system, entry.board, seen.name, seen.common, seen.language)
            view = {**msgspec.to_builtins(drawn), "title": head.title}
            return entry.system, words.boards[f"{entry.system}/{entry.board}"].struct, view
    try:
        system = system_of(seen.state, CharacterId(key))
    except Rejection:
        raise Missing("character_not_found", seen.told(say("This campaign has no such sheet."))) from None
    drawn = sheet(seen.state, system, CharacterId(key))
    return system, words.sheets[system], msgspec.to_builtins(drawn)


def _explained_path(seen: VisibleCampaign, key: str) -> str:
    """Where the values of a sheet are explained: one that is a board is explained as a board."""
    boards_here = (board_path(seen, each) for each in _standing_for_sheets(seen) if each.system == key)
    return next(boards_here, f"{campaign_path(seen)}/sheets/{key}")


def _standing_for_sheets(seen: VisibleCampaign) -> list[BoardEntry]:
    """The boards that are laid out like sheets, because their rule system has none."""
    words = word_list(seen.language)
    return [
        each
        for each in boards(seen.state, seen.language)
        if words.boards[f"{each.system}/{each.board}"].struct in words.layouts
    ]


def _links(read: Reading, key: str) -> list[SheetLink]:
    """The way to every sheet, at the same moment."""
    seen = read.seen
    begin, when = f"{campaign_path(seen)}/sheets", read.time.query
    played = roster(seen.state, seen.name)
    characters = [(str(each.character), each.name, each.player_name or "") for each in played]
    others = [(str(each.system), each.title, "") for each in _standing_for_sheets(seen)]
    return [
        SheetLink(f"{begin}/{own}{when}", name, player, is_here=own == key)
        for own, name, player in (*characters, *others)
    ]
