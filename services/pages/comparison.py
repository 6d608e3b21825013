"""`/c/{campaign}/compare?from=&to=`: what differs between two moments, sheet by sheet, in words."""

from collections.abc import Iterator
from typing import Any, ClassVar

from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct

from domain.campaign.settings import OWN, settings_of
from domain.sentences import Part, Sentence, number, say
from projections.campaign.dates import date_in, date_in_words
from projections.campaign_words.narration import called
from projections.languages import render
from projections.sheet_page import key_in_words
from services.api.paths import moment_of
from services.api.time_limit import takes_long
from services.application import Application
from services.queries.campaign_reader import PointInTime, VisibleCampaign
from services.queries.diff import Diff, diff
from services.queries.play_session import play_sessions
from services.web.answers import shown
from services.web.campaign_page import CampaignPage, campaign_path, frame_of, read_paths, seen_by
from services.web.changed_values import ChangedThing, ChangedValue, InWords
from services.web.chronicle_lines import action_path
from services.web.sheet_links import SheetLinks, explained_at
from services.web.time_line import Tick, session_ticks
from services.web.visitor import Visitor

THINGS_MAX = 12
"""Sheets, boards and the like on one page."""
ACTIONS_MAX = 12
PAGE_DIGITS_MAX = 4


class Compared(Struct, frozen=True):
    """A sheet, a board or the campaign, with its values that differ.

    `path` is where the sheet is read, empty for what is none; `links` lead to why its values are what they are.
    """

    thing: ChangedThing
    path: str
    links: SheetLinks


class Between(Struct, frozen=True):
    """An action between two moments: its number, its page, and what it was."""

    seq: int
    path: str
    told: list[str]
    is_undone: bool


class Comparison(Struct, frozen=True):
    """Two moments, the earlier first, a page of what differs, and what happened between; `more`: it is not all.

    `earlier_things` and `later_things` are the addresses of the pages before and after, empty where there is none.
    """

    before: int
    after: int
    things: list[Compared]
    total: int
    earlier_things: str
    later_things: str
    actions: list[Between]
    more: bool


class ComparisonPage(CampaignPage, frozen=True, kw_only=True):
    """Two moments to choose, and what differs between them; None before they are chosen."""

    template: ClassVar[str] = "comparison.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "chronicle"
    head: int
    ticks: list[Tick]
    start: str
    end: str
    found: Comparison | None

    @property
    def title(self) -> Sentence:
        """What the page is called."""
        if self.found is None:
            return say("Compare two moments")
        return say("From no. {start} to no. {end}", start=self.found.before, end=self.found.after)


@get(read_paths("/compare"), guards=[takes_long])
async def compare(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """What differs between `?from=` and `?to=`; without the latter, now. Refuses `moment_not_reached`."""
    now = await seen_by(application, visitor, campaign)
    start, end = (request.query_params.get(name, "").strip() for name in ("from", "to"))
    page = request.query_params.get("page", "")
    nth = int(page) if page.isascii() and page.isdigit() and len(page) <= PAGE_DIGITS_MAX else 1
    found = None
    if start:
        found = await _comparison(application, visitor, now, (start, end or str(now.seq)), max(nth, 1))
    sessions = await play_sessions(application.log, application.views, now)
    return shown(
        request,
        visitor,
        ComparisonPage(
            **frame_of(now),
            head=now.seq,
            ticks=session_ticks(sessions, now.seq),
            start=start,
            end=end or str(now.seq),
            found=found,
        ),
    )


async def _comparison(
    application: Application, visitor: Visitor, now: VisibleCampaign, asked: tuple[str, str], nth: int
) -> Comparison:
    reader = visitor.signed_in.account_id
    points = [moment_of(each) or PointInTime(seq=now.seq) for each in asked]
    one, other = sorted([await application.campaigns.seq_of(now.campaign_id, each) for each in points])
    moments = (PointInTime(seq=one), PointInTime(seq=other))
    found = await diff(application, now.campaign_id, reader, moments, visitor.reads_as)
    before, after = [
        await application.campaigns.see(now.campaign_id, reader, each, visitor.reads_as) for each in moments
    ]
    things = [
        each for each in _things(before, after, found) if each.values or each.is_new or each.is_gone or each.untold
    ]
    first = (nth - 1) * THINGS_MAX
    path = f"{campaign_path(now)}/compare?from={one}&to={other}"
    listed = found.actions[:ACTIONS_MAX]
    return Comparison(
        before=one,
        after=other,
        things=[_compared(now, one, other, each) for each in things[first : first + THINGS_MAX]],
        total=len(things),
        earlier_things=f"{path}&page={nth - 1}" if nth > 1 else "",
        later_things=f"{path}&page={nth + 1}" if first + THINGS_MAX < len(things) else "",
        actions=[Between(each.seq, action_path(now, each.seq), each.summary, each.undone) for each in listed],
        more=found.more or len(found.actions) > ACTIONS_MAX,
    )


def _things(before: VisibleCampaign, after: VisibleCampaign, found: Diff) -> Iterator[ChangedThing]:
    """All that differs: sheets, what is of the whole campaign, boards, and the settings."""
    telling = InWords(after, found.names, before)
    yield from telling.sheets(found.changes)
    yield _campaign(before, after)
    yield _money(after, found)
    yield from telling.boards(found.changes)
    yield telling.settings(found.changes)


def _campaign(before: VisibleCampaign, after: VisibleCampaign) -> ChangedThing:
    """What differs of the campaign as a whole."""
    language = after.language

    def told(seen: VisibleCampaign) -> dict[str, Part]:
        state = seen.state
        shape = settings_of(OWN, state.changed_settings).calendar
        activities = len(state.activities)
        return {
            render(say("Name"), language): state.name,
            render(say("Date"), language): date_in_words(date_in(language, state.game_time, shape)),
            render(say("Play session"), language): number(state.session.number) if state.session else "",
            render(say("Scene"), language): (state.scene.name or "") if state.scene else "",
            render(say("Members"), language): number(len(state.members)),
            render(say("Timers"), language): number(len(state.timers)),
            render(say("Downtime activities"), language): number(activities),
        }

    one, other = told(before), told(after)
    values = [
        ChangedValue((title,), _rendered(one[title], language), _rendered(other[title], language))
        for title in other
    ]
    return ChangedThing(
        render(say("The campaign"), language), [each for each in values if each.before != each.after]
    )


def _rendered(told: Part, language: str) -> str:
    return render(told, language) if isinstance(told, Sentence) else str(told)


def _money(after: VisibleCampaign, found: Diff) -> ChangedThing:
    """The balances that differ, by account and currency, but for those that stand on sheets."""
    language = after.language
    values = []
    for each in found.changes.balances:
        account, _, currency = each.path.rpartition(".")
        name = called(account, after.name)
        if name == account.replace(":", ": ", 1) or account.partition(":")[2] in found.changes.sheets:
            continue  # of no person or thing: those it comes from tell it, and sheets tell their own
        title = f"{name}, {key_in_words(currency)}"
        told = ["" if side is None else render(number(side), language) for side in (each.before, each.after)]
        values.append(ChangedValue((title,), *told))
    return ChangedThing(render(say("Money"), language), values)


def _compared(now: VisibleCampaign, one: int, other: int, thing: ChangedThing) -> Compared:
    if not thing.character or thing.is_gone:
        return Compared(thing, "", SheetLinks({}))
    sheet, is_now = f"{campaign_path(now)}/sheets/{thing.character}", other == now.seq
    links = SheetLinks({}, explained_at(sheet, None if is_now else other))
    return Compared(thing, f"{sheet}?{'' if is_now else f'at={other}&'}pin={one}", links)
