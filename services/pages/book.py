"""`/c/{campaign}/recap`: a play session to be read aloud, and `/c/{campaign}/book`: all of them, to be printed."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.response import Response, Stream
from msgspec import Struct, structs

from domain.lifecycle_events import SceneStarted
from domain.sentences import Part, Sentence, say
from domain.systems import SYSTEMS
from projections.campaign.campaign_view import members, roster
from projections.campaign.chronicle import ActionEntry
from projections.campaign.recap import Recap
from services.api.paths import AtQuery
from services.api.records import told_session
from services.api.time_limit import takes_long
from services.application import Application
from services.pages.money import read_at, told_moment
from services.pages.statement import session_number
from services.queries.campaign_reader import VisibleCampaign
from services.queries.chronicle import Filters, actions_page
from services.queries.play_session import SessionHeld, sessions_held
from services.web.answers import HTML, Here, shown
from services.web.campaign_page import CampaignPage, campaign_path, frame_of, read_paths
from services.web.kept_pages import reader_mark
from services.web.ledger_lines import sentences_of
from services.web.printed import Footer, footer_of
from services.web.security_headers import page_headers
from services.web.templates import rendered
from services.web.visitor import Visitor

ACTIONS = 200
"""So many actions are told at once, so that a long campaign takes no more memory than a short one."""

SCENE = str(SceneStarted.__struct_config__.tag)
NOT_TOLD = frozenset(
    f"campaign.{each}"
    for each in ("undo_action", "redo_action", "request_undo", "decline_undo", "reveal", "set_setting")
)
"""Commands about the log itself, or how it is kept."""
PLACE = "<!-- chapters -->"
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


class Paragraph(Struct, frozen=True):
    """What is told of an action. One that begins a scene has a `heading` to follow."""

    sentences: list[str]
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
    """What a play session is called."""
    if title:
        return say("Play session {n}: {title}", n=number, title=title)
    return say("Play session {n}", n=number)


@get(read_paths("/recap"))
async def recap_page(
    request: Request[Any, Any, Any],
    application: NamedDependency[Application],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    session: FromQuery[str] = "",
    at: AtQuery = None,
) -> Response[bytes]:
    """A play session, or the last one. Refuses `session_not_found`."""
    seen = await read_at(application, visitor, campaign, at)
    recap = await told_session(application, seen, session_number(session))
    number = recap.session.number
    page = RecapPage(
        **frame_of(seen),
        recap=recap,
        earlier=number - 1 or None,
        later=number + 1 if number < seen.state.sessions_played else None,
        moment=told_moment(seen, None if at is None else seen.seq),
        footer=await footer_of(application, seen),
    )
    return shown(request, visitor, page)


@get(read_paths("/book"), guards=[takes_long])
async def book(
    request: Request[Any, Any, Any],
    application: NamedDependency[Application],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    at: AtQuery = None,
) -> Stream:
    """All that stands, as a book of which each play session is a chapter."""
    seen = await read_at(application, visitor, campaign, at)
    chapters = _chapters(await sessions_held(application.log, application.views, seen), seen.seq)
    page = BookPage(
        **frame_of(seen),
        games=[SYSTEMS[system].title for system in seen.state.systems],
        people=[each.name for each in members(seen.state, seen.name)],
        characters=[each.name for each in roster(seen.state, seen.name)],
        contents=[ChapterLink(each.key, each.title) for each in chapters],
        moment=told_moment(seen, None if at is None else seen.seq),
        footer=await footer_of(application, seen),
    )
    here = Here(request.url.path, visitor.signed_in.name, reader_mark(visitor.principal))
    frame = rendered(page.template, seen.language, page=page, here=here)
    headers = {**page_headers(request.scope), "Content-Language": seen.language, "Cache-Control": "no-store"}
    return Stream(_told(application, seen, frame, chapters), media_type=HTML, headers=headers)


def _chapters(sessions: list[SessionHeld], upto: int) -> list[Chapter]:
    starts = [*(each.first for each in sessions), upto + 1]
    found = [Chapter("before", say("Before the first play session"), None, 1, starts[0] - 1)]
    for each, following in zip(sessions, starts[1:], strict=True):
        title = session_title(each.number, each.title)
        found.append(Chapter(f"s{each.number}", title, each.number, each.first, following - 1))
    return [each for each in found if each.first <= each.last]


async def _told(
    application: Application, seen: VisibleCampaign, frame: str, chapters: list[Chapter]
) -> AsyncIterator[bytes]:
    """The page in pieces: what stands before the chapters, each of these page by page, and what stands after."""
    before, _, after = frame.partition(PLACE)
    yield before.encode()
    for chapter in chapters:
        yield await _opening(application, seen, chapter)
        going_on: int | None = chapter.first - 1
        until = structs.replace(seen, seq=chapter.last)
        while going_on is not None:
            found = await actions_page(application.log, application.views, until, going_on, ACTIONS, UNFILTERED)
            paragraphs = await _paragraphs(application, seen, [each for each in found.actions if _is_told(each)])
            yield rendered("book_lines.html", seen.language, paragraphs=paragraphs).encode()
            going_on = found.next_after
        yield b"</section>\n"
    yield after.encode()


async def _opening(application: Application, seen: VisibleCampaign, chapter: Chapter) -> bytes:
    """The head of a chapter: its title, its day, who was there, and what mattered most."""
    recap = None if chapter.number is None else await told_session(application, seen, chapter.number)
    values = {"chapter": chapter, "recap": recap, "recap_path": f"{campaign_path(seen)}/recap"}
    return rendered("book_chapter.html", seen.language, **values).encode()


def _is_told(each: ActionEntry) -> bool:
    """Whether an action belongs into the book: it stands, it may be read, and it is about what was played."""
    return each.undone_in is None and each.type is not None and each.type not in NOT_TOLD and bool(each.summary)


async def _paragraphs(
    application: Application, seen: VisibleCampaign, actions: list[ActionEntry]
) -> list[Paragraph]:
    """What is told of each action; the sentence that begins a scene becomes a heading."""
    scenes = [each.action_id for each in actions if SCENE in each.events]
    sentences = await sentences_of(application, seen, scenes)
    found = []
    for each in actions:
        begun = each.seq + each.events.index(SCENE) if SCENE in each.events else 0
        heading = sentences.events.get(begun, "")
        found.append(Paragraph([told for told in each.summary if told != heading], each.note or "", heading))
    return found
