"""`/c/{campaign}/sheets/{key}/record`: a character's record, to be read aloud and printed."""

from datetime import datetime
from typing import ClassVar

import msgspec
from babel.dates import format_date
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct

from domain.campaign.settings import OWN, settings_of
from domain.sentences import Part, Sentence, say
from domain.systems import SYSTEMS
from projections.campaign.campaign_view import roster
from projections.campaign.recap_weights import weight
from projections.languages import render
from projections.service_record_fold import When
from projections.service_record_page import record_page
from projections.sheet_page import SheetPage, Telling
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.middleware.time_limit import takes_long
from services.http.route_parameters import AtQuery
from services.http.screen.money.money import told_moment
from services.http.screen.money.statement_lines import sentences_of
from services.http.screen.shared.campaign_page import (
    CampaignPage,
    campaign_path,
    frame_of,
    watched_paths,
)
from services.http.screen.shared.page_responses import show_page
from services.http.screen.shared.print_footer import Footer, footer_of
from services.http.screen.shared.sheet_links import SheetLinks
from services.http.screen.shared.templates import DATES, where_read
from services.http.screen.shared.visitor import Visit, open_campaign
from services.reading.chronicle import Filters, actions_page
from services.reading.names_in_answers import names_in
from services.reading.play_session import sessions_held
from services.reading.records_and_recaps import record_of

ACTIONS_MAX = 500
"""So many actions, the last ones, are looked through for what is worth telling."""
TOLD_MAX = 40


class Deed(Struct, frozen=True):
    """Something that is worth telling, and the way to it."""

    told: str
    path: str
    at: str


class Deeds(Struct, frozen=True):
    """The events worth telling of one play session; None: of the time before, between or after them."""

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
        """The page's title: the character of the record."""
        return say("Service record of {name}", name=self.whose)


@get(watched_paths("/sheets/{key:str}/record"), guards=[takes_long])
async def service_record(visit: NamedDependency[Visit], key: FromPath[str], at: AtQuery = None) -> Response[bytes]:
    """Show a character's record, now or up to a moment. Refuses `character_not_found`."""
    visible = await open_campaign(visit, at)
    past = None if at is None else visible.seq
    record = await record_of(visit.application, visible, key)
    calendar = settings_of(OWN, visible.state.changed_settings).calendar
    telling = Telling(names_in(record, visible), calendar)
    systems = {record.system: record.record, **record.elsewhere}
    pages = [
        record_page(
            visible.language, system, msgspec.to_builtins(record), telling, _Dates(visible.language).text_of
        )
        for system, record in systems.items()
    ]
    characters = roster(visible.state, visible.name)
    page = RecordPage(
        **frame_of(visible) | {"accent": record.system},
        whose=record.name,
        player=next((character.player_name or "" for character in characters if character.character == key), ""),
        game=SYSTEMS[record.system].title,
        sheet=f"{campaign_path(visible)}/sheets/{key}" + ("" if past is None else f"?at={past}"),
        tale=await _tale(visit.application, visible, key),
        figures=pages[0],
        elsewhere=pages[1:],
        links=SheetLinks({}),
        is_whole=record.after == 0,
        moment=told_moment(visible, past),
        footer=await footer_of(visit.application, visible),
    )
    return show_page(visit, page)


class _Dates:
    """Says when something happened, in a language."""

    def __init__(self, language: str) -> None:
        self._language = language

    def text_of(self, when: When) -> str:
        """The day, and the play session if there was one."""
        day = format_date(
            where_read(datetime.fromisoformat(when.at)), "medium", locale=DATES.get(self._language, self._language)
        )
        if when.session is None:
            return day
        return render(say("{day}, play session {n}", day=day, n=when.session), self._language)


async def _tale(application: Application, campaign: VisibleCampaign, character: str) -> list[Deeds]:
    """The weightiest things that happened to a character, by play session, as far back as is looked."""
    page = await actions_page(
        application.log,
        application.views,
        campaign,
        0,
        ACTIONS_MAX,
        Filters(character=character),
        campaign.seq + 1,
    )
    standing = [action for action in page.actions if action.undone_in is None and action.type is not None]
    rows = (
        await application.log.actions(campaign.campaign_id, [action.action_id for action in standing])
        if standing
        else []
    )
    events = [campaign.read(row) for row in rows if row.seq <= campaign.seq]
    weighed = sorted(((weight(event.event), event) for event in events), key=lambda pair: (-pair[0], -pair[1].seq))
    top_events = sorted((event for heavy, event in weighed[:TOLD_MAX] if heavy > 0), key=lambda event: event.seq)
    sentences = await sentences_of(application, campaign, [event.action_id for event in top_events])
    sessions = await sessions_held(application.log, application.views, campaign)
    moments = {action.action_id: action.imported_at or action.at for action in standing}
    tale: list[Deeds] = []
    for event in top_events:
        session = next((one.number for one in sessions if one.first <= event.seq <= one.last), None)
        text = sentences.events.get(event.seq, "")
        if not tale or tale[-1].session != session:
            tale.append(Deeds(session, []))
        if text:
            tale[-1].deeds.append(Deed(text, f"{campaign_path(campaign)}/a/{event.seq}", moments[event.action_id]))
    return [deeds for deeds in tale if deeds.deeds]
