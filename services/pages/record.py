"""`/c/{campaign}/sheets/{key}/record`: what a character has been through, to be read aloud and printed."""

from datetime import datetime
from typing import Any, ClassVar

import msgspec
from babel.dates import format_date
from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct

from domain.campaign.settings import OWN, settings_of
from domain.sentences import Part, Sentence, say
from domain.systems import SYSTEMS
from projections.campaign.campaign_view import roster
from projections.campaign.emphasis import weight
from projections.languages import render
from projections.record_fold import When
from projections.record_page import record_page
from projections.sheet_page import SheetPage, Telling
from services.api.paths import AtQuery
from services.api.records import record_of
from services.api.time_limit import takes_long
from services.application import Application
from services.pages.money import read_at, told_moment
from services.queries.campaign_reader import VisibleCampaign
from services.queries.chronicle import Filters, actions_page
from services.queries.names_in_answers import names_in
from services.queries.play_session import sessions_held
from services.web.answers import shown
from services.web.campaign_page import CampaignPage, campaign_path, frame_of, read_paths
from services.web.ledger_lines import sentences_of
from services.web.printed import Footer, footer_of
from services.web.sheet_links import SheetLinks
from services.web.templates import DATES, where_read
from services.web.visitor import Visitor

ACTIONS_MAX = 500
"""So many actions, the last ones, are looked through for what is worth telling."""
TOLD_MAX = 40


class Deed(Struct, frozen=True):
    """Something that is worth telling, and the way to it."""

    told: str
    path: str
    at: str


class Deeds(Struct, frozen=True):
    """What is worth telling of one play session; None: of the time before, between or after them."""

    session: int | None
    deeds: list[Deed]


class RecordPage(CampaignPage, frozen=True, kw_only=True):
    """A service record: `tale` in sentences, then in figures; `elsewhere` are the same of other games."""

    template: ClassVar[str] = "record.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "sheets"
    whose: str
    player: str
    game: str
    sheet: str
    tale: list[Deeds]
    figures: SheetPage
    elsewhere: list[SheetPage]
    links: SheetLinks
    is_whole: bool
    moment: Sentence | None
    footer: Footer

    @property
    def title(self) -> Part:
        """Whose record it is."""
        return say("Service record of {name}", name=self.whose)


@get(read_paths("/sheets/{key:str}/record"), guards=[takes_long])
async def service_record(
    request: Request[Any, Any, Any],
    application: NamedDependency[Application],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    key: FromPath[str],
    at: AtQuery = None,
) -> Response[bytes]:
    """What a character has been through, now or up to a moment. Refuses `character_not_found`."""
    seen = await read_at(application, visitor, campaign, at)
    past = None if at is None else seen.seq
    record = await record_of(application, seen, key)
    calendar = settings_of(OWN, seen.state.changed_settings).calendar
    telling = Telling(names_in(record, seen), calendar)
    systems = {record.system: record.record, **record.elsewhere}
    drawn = [
        record_page(seen.language, system, msgspec.to_builtins(each), telling, _When(seen.language).told)
        for system, each in systems.items()
    ]
    known = roster(seen.state, seen.name)
    page = RecordPage(
        **frame_of(seen) | {"accent": record.system},
        whose=record.name,
        player=next((each.player_name or "" for each in known if each.character == key), ""),
        game=SYSTEMS[record.system].title,
        sheet=f"{campaign_path(seen)}/sheets/{key}" + ("" if past is None else f"?at={past}"),
        tale=await _tale(application, seen, key),
        figures=drawn[0],
        elsewhere=drawn[1:],
        links=SheetLinks({}),
        is_whole=record.after == 0,
        moment=told_moment(seen, past),
        footer=await footer_of(application, seen),
    )
    return shown(request, visitor, page)


class _When:
    """Says when something happened, in a language."""

    def __init__(self, language: str) -> None:
        self._language = language

    def told(self, when: When) -> str:
        """The day, and the play session if there was one."""
        day = format_date(
            where_read(datetime.fromisoformat(when.at)), "medium", locale=DATES.get(self._language, self._language)
        )
        if when.session is None:
            return day
        return render(say("{day}, play session {n}", day=day, n=when.session), self._language)


async def _tale(application: Application, seen: VisibleCampaign, character: str) -> list[Deeds]:
    """The weightiest things that happened to a character, by play session, as far back as is looked."""
    page = await actions_page(
        application.log, application.views, seen, 0, ACTIONS_MAX, Filters(character=character), seen.seq + 1
    )
    standing = [each for each in page.actions if each.undone_in is None and each.type is not None]
    rows = (
        await application.log.actions(seen.campaign_id, [each.action_id for each in standing]) if standing else []
    )
    read = [seen.read(row) for row in rows if row.seq <= seen.seq]
    weighed = sorted(((weight(each.event), each) for each in read), key=lambda pair: (-pair[0], -pair[1].seq))
    chosen = sorted((each for heavy, each in weighed[:TOLD_MAX] if heavy > 0), key=lambda each: each.seq)
    sentences = await sentences_of(application, seen, [each.action_id for each in chosen])
    sessions = await sessions_held(application.log, application.views, seen)
    moments = {each.action_id: each.imported_at or each.at for each in standing}
    tale: list[Deeds] = []
    for each in chosen:
        session = next((one.number for one in sessions if one.first <= each.seq <= one.last), None)
        told = sentences.events.get(each.seq, "")
        if not tale or tale[-1].session != session:
            tale.append(Deeds(session, []))
        if told:
            tale[-1].deeds.append(Deed(told, f"{campaign_path(seen)}/a/{each.seq}", moments[each.action_id]))
    return [each for each in tale if each.deeds]
