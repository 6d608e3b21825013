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
from domain.sentences import Part, Sentence, say
from projections.boards import BoardEntry, board, boards
from projections.campaign.campaign_view import roster
from projections.sheet_page import SheetPage, Telling, sheet_page
from projections.sheets import sheet
from projections.word_list import word_list
from services.api.paths import AtQuery, campaign_of, moment_of
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.queries.names_in_answers import names_in
from services.runtime.reader_language import prefer
from services.web.answers import shown
from services.web.campaign_page import CampaignPage, campaign_path, frame_of, read_paths
from services.web.first_steps import FirstStep, first_characters
from services.web.sheet_links import SheetLink, SheetLinks, explained_at
from services.web.visitor import Visitor


class SheetsPage(CampaignPage, frozen=True):
    """The sheets of a campaign; `makers` make the first, `moment` says of a past one when that was."""

    template: ClassVar[str] = "sheets.html"
    section: ClassVar[str] = "sheets"
    sheets: tuple[SheetLink, ...]
    makers: list[FirstStep]
    moment: Sentence | None

    @property
    def title(self) -> Part:
        """What the page is called."""
        return say("Sheets")


class OneSheetPage(CampaignPage, frozen=True):
    """A sheet, with the way to the others, and where it leads."""

    template: ClassVar[str] = "sheet_page.html"
    section: ClassVar[str] = "sheets"
    sheet: SheetPage
    others: tuple[SheetLink, ...]
    links: SheetLinks
    moment: Sentence | None

    @property
    def title(self) -> Part:
        """Whose sheet it is."""
        return self.sheet.title


@get(read_paths("/sheets"))
async def all_sheets(
    request: Request[Any, Any, Any],
    application: NamedDependency[Application],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    at: AtQuery = None,
) -> Response[bytes]:
    """Every sheet of a campaign, with who plays it."""
    seen = await _seen(application, visitor, campaign, at)
    sheets = tuple(_links(seen, "", at))
    page = SheetsPage(
        **frame_of(seen),
        sheets=sheets,
        makers=[] if sheets or at is not None else await first_characters(application, seen),
        moment=_moment(seen, at),
    )
    return shown(request, visitor, page)


@get(read_paths("/sheets/{key:str}"))
async def one_sheet(
    request: Request[Any, Any, Any],
    application: NamedDependency[Application],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    key: FromPath[str],
    at: AtQuery = None,
) -> Response[bytes]:
    """The sheet of a character; under the name of a rule system, the board that stands for its sheets."""
    seen = await _seen(application, visitor, campaign, at)
    system, struct, view = _view(seen, key)
    links = tuple(_links(seen, key, at))
    calendar = settings_of(OWN, seen.state.changed_settings).calendar
    page = OneSheetPage(
        **frame_of(seen) | {"accent": system},
        sheet=sheet_page(word_list(seen.language), struct, view, Telling(names_in(view, seen), calendar)),
        others=links,
        links=SheetLinks(
            {each.path.rpartition("/")[2].partition("?")[0]: each.path for each in links if not each.is_here},
            ""
            if key == system
            else explained_at(f"{campaign_path(seen)}/sheets/{key}", None if at is None else seen.seq),
        ),
        moment=_moment(seen, at),
    )
    return shown(request, visitor, page)


async def _seen(application: Application, visitor: Visitor, campaign: str, at: str | None) -> VisibleCampaign:
    """The campaign as its reader may see it; the whole page is in the language in which it is told."""
    account = visitor.signed_in.account_id
    seen = await application.campaigns.see(campaign_of(campaign), account, moment_of(at), visitor.reads_as)
    prefer(seen.language)
    return seen


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


def _standing_for_sheets(seen: VisibleCampaign) -> list[BoardEntry]:
    """The boards that are laid out like sheets, because their rule system has none."""
    words = word_list(seen.language)
    return [
        each
        for each in boards(seen.state, seen.language)
        if words.boards[f"{each.system}/{each.board}"].struct in words.layouts
    ]


def _links(seen: VisibleCampaign, key: str, at: str | None) -> list[SheetLink]:
    """The way to every sheet, at the same moment."""
    begin, when = f"{campaign_path(seen)}/sheets", "" if at is None else f"?at={seen.seq}"

    played = roster(seen.state, seen.name)
    characters = [(str(each.character), each.name, each.player_name or "") for each in played]
    others = [(str(each.system), each.title, "") for each in _standing_for_sheets(seen)]
    return [
        SheetLink(f"{begin}/{own}{when}", name, player, is_here=own == key)
        for own, name, player in (*characters, *others)
    ]


def _moment(seen: VisibleCampaign, at: str | None) -> Sentence | None:
    """That this is the past, and when."""
    return None if at is None else say("You read this as it was at no. {seq}.", seq=seen.seq)
