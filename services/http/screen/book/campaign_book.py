"""`/c/{campaign}/recap`: a play session to be read aloud, and `/c/{campaign}/book`: all of them, to be printed."""

import re
from collections.abc import AsyncIterator
from typing import ClassVar

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromQuery
from litestar.response import Response, Stream
from msgspec import Struct, structs

from domain.lifecycle_events import SceneStarted
from domain.sentences import Part, Sentence, say
from domain.systems import SYSTEMS
from projections.campaign.campaign_view import members, roster
from projections.campaign.chronicle import ActionEntry
from projections.campaign.recap import Recap
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
from services.http.screen.shared.offline_pages import reader_mark
from services.http.screen.shared.page_responses import HTML, Here, show_page
from services.http.screen.shared.print_footer import Footer, footer_of
from services.http.screen.shared.security_headers import page_headers
from services.http.screen.shared.templates import render_template
from services.http.screen.shared.visitor import Visit, open_campaign
from services.reading.chronicle import Filters, actions_page
from services.reading.parameters import number_after
from services.reading.play_session import SessionHeld, sessions_held
from services.reading.records_and_recaps import retell_session

ACTIONS = 200
"""So many actions are told at once, so that a long campaign takes no more memory than a short one."""

SCENE = str(SceneStarted.__struct_config__.tag)
NOT_TOLD = frozenset(
    f"campaign.{command}"
    for command in ("undo_action", "redo_action", "request_undo", "decline_undo", "reveal", "set_setting")
)
"""Commands about the log itself, or how it is kept."""
PLACE = "<!-- chapters -->"
BETWEEN_PARAGRAPHS = re.compile(r"\r?\n(?:[^\S\r\n]*\r?\n)+")
"""An empty line or more in a text."""
UNFILTERED = Filters()


class RecapPage(CampaignPage, frozen=True, kw_only=True):
    """A play session as a short text; `earlier` and `later` are the numbers of those beside it."""

    template: ClassVar[str] = "recap.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "home"
    recap: Recap
    earlier: int | None
    later: int | None
    moment: Sentence | None
    footer: Footer

    @property
    def title(self) -> Part:
        """Which play session it is of."""
        return session_title(self.recap.session.number, self.recap.session.title)


class ChapterLink(Struct, frozen=True):
    """A chapter in the list of contents."""

    key: str
    title: Sentence


class BookPage(CampaignPage, frozen=True, kw_only=True):
    """The frame of the book; its chapters are sent one after the other."""

    template: ClassVar[str] = "book.html"
    section: ClassVar[str] = "chronicle"
    games: list[str]
    people: list[str]
    characters: list[str]
    contents: list[ChapterLink]
    moment: Sentence | None
    footer: Footer

    @property
    def title(self) -> Part:
        """The campaign's name, which is the book's."""
        return self.name


class Passage(Struct, frozen=True):
    """The text of an action, in its own paragraphs. One that begins a scene has a `heading` to follow."""

    paragraphs: list[str]
    note: str
    heading: str


class Chapter(Struct, frozen=True):
    """A part of the campaign: a play session with all up to the next one, or what was before the first."""

    key: str
    title: Sentence
    number: int | None
    first: int
    last: int


def session_title(number: int, title: str | None) -> Sentence:
    """The name of a play session."""
    if title:
        return say("Play session {n}: {title}", n=number, title=title)
    return say("Play session {n}", n=number)


@get(watched_paths("/recap"))
async def recap_page(
    visit: NamedDependency[Visit], session: FromQuery[str] = "", at: AtQuery = None
) -> Response[bytes]:
    """A play session, or the last one. Refuses `session_not_found`."""
    visible = await open_campaign(visit, at)
    recap = await retell_session(visit.application, visible, number_after("session", session))
    number = recap.session.number
    page = RecapPage(
        **frame_of(visible),
        recap=recap,
        earlier=number - 1 or None,
        later=number + 1 if number < visible.state.sessions_played else None,
        moment=told_moment(visible, None if at is None else visible.seq),
        footer=await footer_of(visit.application, visible),
    )
    return show_page(visit, page)


@get(watched_paths("/book"), guards=[takes_long])
async def book(visit: NamedDependency[Visit], at: AtQuery = None) -> Stream:
    """All that stands, as a book of which each play session is a chapter."""
    visible = await open_campaign(visit, at)
    chapters = _chapters(await sessions_held(visit.application.log, visit.application.views, visible), visible.seq)
    page = BookPage(
        **frame_of(visible),
        games=[SYSTEMS[system].title for system in visible.state.systems],
        people=[member.name for member in members(visible.state, visible.name)],
        characters=[character.name for character in roster(visible.state, visible.name)],
        contents=[ChapterLink(chapter.key, chapter.title) for chapter in chapters],
        moment=told_moment(visible, None if at is None else visible.seq),
        footer=await footer_of(visit.application, visible),
    )
    who = visit.visitor.principal
    here = Here(
        path=visit.request.url.path,
        name=None if who is None else who.name,
        reader=reader_mark(visit.reader),
        watches=visit.visitor.watcher is not None,
    )
    frame = render_template(page.template, visible.language, page=page, here=here)
    headers = {
        **page_headers(visit.request.scope),
        "Content-Language": visible.language,
        "Cache-Control": "no-store",
    }
    return Stream(_stream_book(visit.application, visible, frame, chapters), media_type=HTML, headers=headers)


def _chapters(sessions: list[SessionHeld], upto: int) -> list[Chapter]:
    starts = [*(session.first for session in sessions), upto + 1]
    chapters = [Chapter("before", say("Before the first play session"), None, 1, starts[0] - 1)]
    for session, following in zip(sessions, starts[1:], strict=True):
        title = session_title(session.number, session.title)
        chapters.append(Chapter(f"s{session.number}", title, session.number, session.first, following - 1))
    return [chapter for chapter in chapters if chapter.first <= chapter.last]


async def _stream_book(
    application: Application, campaign: VisibleCampaign, frame: str, chapters: list[Chapter]
) -> AsyncIterator[bytes]:
    """The page in pieces: the part before the chapters, each of these page by page, and the part after them."""
    before, _, after = frame.partition(PLACE)
    yield before.encode()
    for chapter in chapters:
        yield await _opening(application, campaign, chapter)
        going_on: int | None = chapter.first - 1
        until = structs.replace(campaign, seq=chapter.last)
        while going_on is not None:
            page = await actions_page(application.log, application.views, until, going_on, ACTIONS, UNFILTERED)
            passages = await _passages(
                application, campaign, [action for action in page.actions if _is_told(action)]
            )
            yield render_template("book_lines.html", campaign.language, passages=passages).encode()
            going_on = page.next_after
        yield b"</section>\n"
    yield after.encode()


async def _opening(application: Application, campaign: VisibleCampaign, chapter: Chapter) -> bytes:
    """The head of a chapter: its title, its day, who was there, and what mattered most."""
    recap = None if chapter.number is None else await retell_session(application, campaign, chapter.number)
    values = {"chapter": chapter, "recap": recap, "recap_path": f"{campaign_path(campaign)}/recap"}
    return render_template("book_chapter.html", campaign.language, **values).encode()


def _is_told(action: ActionEntry) -> bool:
    """Whether an action belongs into the book: it stands, it may be read, and it is about what was played."""
    return (
        action.undone_in is None
        and action.type is not None
        and action.type not in NOT_TOLD
        and bool(action.summary)
    )


async def _passages(
    application: Application, campaign: VisibleCampaign, actions: list[ActionEntry]
) -> list[Passage]:
    """A passage for each action; the sentence that begins a scene becomes a heading."""
    scenes = [action.action_id for action in actions if SCENE in action.events]
    sentences = await sentences_of(application, campaign, scenes)
    passages = []
    for action in actions:
        scene_seq = action.seq + action.events.index(SCENE) if SCENE in action.events else 0
        heading = sentences.events.get(scene_seq, "")
        text = " · ".join(sentence for sentence in action.summary if sentence != heading)
        paragraphs = BETWEEN_PARAGRAPHS.split(text) if text or action.note else []
        passages.append(Passage(paragraphs, action.note or "", heading))
    return passages
