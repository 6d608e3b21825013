"""`/c/{id}/sheets` and each sheet there: of a character, or the board that stands for sheets."""

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec
from litestar import get
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
from services.campaign.visible_campaign import VisibleCampaign
from services.http.screen.money.money import Way
from services.http.screen.money.statement_lines import AccountLink, accounts_of
from services.http.screen.money.things import OwnThingLine, ThingDrawing
from services.http.screen.shared.campaign_page import CampaignPage, campaign_path, frame_of, watched_paths
from services.http.screen.shared.changed_values import InWords
from services.http.screen.shared.first_steps import (
    BEFORE,
    FirstStep,
    FirstSteps,
    copy_path,
    first_steps,
    sheet_builders,
)
from services.http.screen.shared.page_responses import show_page
from services.http.screen.shared.print_footer import Footer, footer_of
from services.http.screen.shared.sheet_links import (
    FATES,
    SheetLink,
    SheetLinks,
    board_path,
    explained_at,
    in_story_first,
)
from services.http.screen.shared.time_line import Reading, reading
from services.http.screen.shared.visitor import Visit
from services.reading.names_in_answers import names_in

MISSING = 404


class SheetsPage(CampaignPage, frozen=True):
    """The sheets of a campaign; `first` is what to do while there are none."""

    template: ClassVar[str] = "sheets.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "sheets"
    sheets: tuple[SheetLink, ...]
    first: FirstSteps | None
    builders: list[FirstStep]
    """Where another one is made."""

    @property
    def title(self) -> Part:
        """The page's title."""
        return say("Sheets")


class OneSheetPage(CampaignPage, frozen=True):
    """A sheet, with the way to the others, and where it leads."""

    template: ClassVar[str] = "sheet_page.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "sheets"
    whose: str
    sheet: SheetPage | None
    """None before there was one."""
    others: tuple[SheetLink, ...]
    links: SheetLinks
    accounts: list[AccountLink]
    """Those of its person."""
    things: list[OwnThingLine]
    """The things of the group that its person has."""
    ways: list[Way]
    """The forms that bring its person something."""
    record: str
    """The address of the service record; empty for a board that stands for sheets."""
    footer: Footer
    copy: str = ""
    """The address of the builder with a copy of this character; empty: the reader makes none."""

    @property
    def title(self) -> Part:
        """The page's title: the sheet's name."""
        return self.whose


@get(watched_paths("/sheets"))
async def all_sheets(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Every sheet of a campaign, with who plays it, now or at a moment."""
    moment = await reading(visit)
    sheets = tuple(_links(moment, ""))
    page = SheetsPage(
        **frame_of(moment.now),
        time=moment.time,
        sheets=sheets,
        first=None
        if sheets
        else BEFORE
        if moment.time.is_past
        else await first_steps(visit.application, moment.campaign, "/sheets"),
        builders=sheet_builders(moment.campaign, "/sheets") if sheets and not moment.time.is_past else [],
    )
    return show_page(visit, page)


@get(watched_paths("/sheets/{key:str}"))
async def one_sheet(visit: NamedDependency[Visit], key: FromPath[str]) -> Response[bytes]:
    """The sheet of a character; under the name of a rule system, the board that stands for its sheets."""
    moment = await reading(visit)
    visible = moment.campaign
    try:
        system, struct, view = _view(visible, key)
    except Missing:
        return show_page(visit, await _not_yet(visit.application, moment, key), MISSING)
    links = tuple(_links(moment, key))
    calendar = settings_of(OWN, visible.state.changed_settings).calendar
    sheet = sheet_page(word_list(visible.language), struct, view, Telling(names_in(view, visible), calendar))
    past = visible.seq if moment.time.is_past else None
    drawing = ThingDrawing(visit.application, visible, past, f"{campaign_path(visible)}/sheets/{key}")
    page = OneSheetPage(
        **frame_of(moment.now) | {"accent": system},
        time=moment.time,
        whose=sheet.title,
        sheet=sheet,
        others=links,
        links=SheetLinks(
            {link.path.rpartition("/")[2].partition("?")[0]: link.path for link in links if not link.is_here},
            explained_at(_explained_path(visible, key), past),
            await _before(visit.application, moment, key),
        ),
        accounts=accounts_of(visible, key, past),
        things=drawing.of_character(CharacterId(key)),
        ways=drawing.ways_to_begin(CharacterId(key)) if key != system else [],
        record="" if key == system else f"{campaign_path(visible)}/sheets/{key}/record",
        footer=await footer_of(visit.application, visible),
        copy="" if moment.time.is_past else copy_path(visible, system, key),
    )
    return show_page(visit, page)


async def _not_yet(application: Application, moment: Reading, key: str) -> OneSheetPage:
    """The page of a sheet that there was none of at a moment. Refuses `character_not_found` if there never was."""
    system, _, view = _view(moment.now, key)
    return OneSheetPage(
        **frame_of(moment.now) | {"accent": system},
        time=moment.time,
        whose=str(view.get("title") or moment.now.name(CharacterId(key))),
        sheet=None,
        others=tuple(_links(moment, key)),
        links=SheetLinks({}),
        accounts=[],
        things=[],
        ways=[],
        record="",
        footer=await footer_of(application, moment.campaign),
    )


async def _before(application: Application, moment: Reading, key: str) -> dict[str, str]:
    """A sheet's values at the pinned moment, by their paths, where they differ."""
    if moment.time.pin is None:
        return {}
    pinned = await moment.at_seq(application, moment.time.pin)
    try:
        _, struct, view = _view(moment.campaign, key)
        _, _, before = _view(pinned, key)
    except Missing:
        return {}
    changes = differences(before, view)
    telling = InWords(moment.campaign, names_in(changes, moment.campaign, pinned))
    by_path = {change.path: telling.value(struct, change) for change in changes}
    return {path: change.before or "\N{EN DASH}" for path, change in by_path.items() if change is not None}


def _view(campaign: VisibleCampaign, key: str) -> tuple[SystemId, str, Mapping[str, Any]]:
    """A sheet's subject, the struct that lays it out, and its values. Refuses `character_not_found`."""
    words = word_list(campaign.language)
    for entry in _standing_for_sheets(campaign):
        if entry.system == key:
            head, contents = board(
                campaign.state, entry.system, entry.board, campaign.name, campaign.common, campaign.language
            )
            view = {**msgspec.to_builtins(contents), "title": head.title}
            return entry.system, words.boards[f"{entry.system}/{entry.board}"].struct, view
    try:
        system = system_of(campaign.state, CharacterId(key))
    except Rejection:
        raise Missing("character_not_found", campaign.text_of(say("This campaign has no such sheet."))) from None
    contents = sheet(campaign.state, system, CharacterId(key))
    return system, words.sheets[system], msgspec.to_builtins(contents)


def _explained_path(campaign: VisibleCampaign, key: str) -> str:
    """Where the values of a sheet are explained: one that is a board is explained as a board."""
    boards_here = (board_path(campaign, entry) for entry in _standing_for_sheets(campaign) if entry.system == key)
    return next(boards_here, f"{campaign_path(campaign)}/sheets/{key}")


def _standing_for_sheets(campaign: VisibleCampaign) -> list[BoardEntry]:
    """The boards that are laid out like sheets, because their rule system has none."""
    words = word_list(campaign.language)
    return [
        entry
        for entry in boards(campaign.state, campaign.language)
        if words.boards[f"{entry.system}/{entry.board}"].struct in words.layouts
    ]


def _links(moment: Reading, key: str) -> list[SheetLink]:
    """The way to every sheet, at the same moment."""
    campaign = moment.campaign
    begin, when = f"{campaign_path(campaign)}/sheets", moment.time.query
    characters = [
        SheetLink(
            f"{begin}/{entry.character}{when}",
            entry.name,
            entry.player_name or "",
            is_here=entry.character == key,
            fate=FATES.get(entry.fate),
        )
        for entry in in_story_first(roster(campaign.state, campaign.name))
    ]
    others = [
        SheetLink(f"{begin}/{entry.system}{when}", entry.title, is_here=str(entry.system) == key)
        for entry in _standing_for_sheets(campaign)
    ]
    nth = sum(link.fate is None for link in characters)
    return [*characters[:nth], *others, *characters[nth:]]
