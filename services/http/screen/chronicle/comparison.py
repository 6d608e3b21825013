"""`/c/{campaign}/compare?from=&to=`: the differences between two moments, sheet by sheet, in words."""

from collections.abc import Iterator
from typing import ClassVar

from litestar import get
from litestar.di import NamedDependency
from litestar.response import Response
from msgspec import Struct

from domain.campaign.settings import OWN, settings_of
from domain.ids import is_born
from domain.sentences import Part, Sentence, number, say
from projections.campaign.dates import date_in, date_in_words
from projections.campaign_words.narration import account_name
from projections.languages import render
from projections.sheet_page import key_in_words
from services.campaign.visible_campaign import PointInTime, VisibleCampaign
from services.http.middleware.time_limit import takes_long
from services.http.screen.shared.campaign_page import (
    CampaignPage,
    campaign_path,
    frame_of,
    watched_paths,
)
from services.http.screen.shared.changed_values import ChangedThing, ChangedValue, InWords
from services.http.screen.shared.chronicle_lines import action_path
from services.http.screen.shared.page_responses import show_page
from services.http.screen.shared.sheet_links import SheetLinks, explained_at
from services.http.screen.shared.time_line import Tick, session_ticks
from services.http.screen.shared.visitor import Visit, open_campaign
from services.reading.diff import Diff, diff
from services.reading.parameters import moment_of, number_after
from services.reading.play_session import play_sessions

THINGS_MAX = 12
"""Sheets, boards and the like on one page."""
ACTIONS_MAX = 12


class ComparedPart(Struct, frozen=True):
    """A sheet, a board or the campaign, with its values that differ.

    `path` is where the sheet is read, empty for what is none; `links` lead to why its values are what they are.
    """

    thing: ChangedThing
    path: str
    links: SheetLinks


class ActionBetween(Struct, frozen=True):
    """An action between two moments: its number, its page, and what it was."""

    seq: int
    path: str
    told: list[str]
    is_undone: bool


class Comparison(Struct, frozen=True):
    """Two moments, the earlier first, a page of what differs, and what happened between."""

    before: int
    after: int
    things: list[ComparedPart]
    total: int
    earlier_things: str
    """The address of the page before; empty: there is none."""
    later_things: str
    """The address of the page after; empty: there is none."""
    actions: list[ActionBetween]
    more: bool
    """`actions` are not all."""


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
        """The page's title."""
        if self.found is None:
            return say("Compare two moments")
        return say("From no. {start} to no. {end}", start=self.found.before, end=self.found.after)


@get(watched_paths("/compare"), guards=[takes_long])
async def compare(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Show the differences between `?from=` and `?to=`, in place of which an empty field is the beginning and now.

    Refuses `moment_not_reached` and `unknown_value`.
    """
    now = await open_campaign(visit)
    start, end = (visit.request.query_params.get(name, "").strip() for name in ("from", "to"))
    if "from" in visit.request.query_params:
        start = start or "1"
    nth = number_after("page", visit.request.query_params.get("page", "")) or 1
    comparison = None
    if start:
        comparison = await _comparison(visit, now, (start, end or str(now.seq)), nth)
    sessions = await play_sessions(visit.application.log, visit.application.views, now)
    return show_page(
        visit,
        ComparisonPage(
            **frame_of(now),
            head=now.seq,
            ticks=session_ticks(sessions, now.seq),
            start=start,
            end=end or str(now.seq),
            found=comparison,
        ),
    )


async def _comparison(visit: Visit, now: VisibleCampaign, texts: tuple[str, str], nth: int) -> Comparison:
    reader = visit.reader.account_id
    points = [moment_of(text) or PointInTime(seq=now.seq) for text in texts]
    one, other = sorted([await visit.application.campaigns.seq_of(now, point) for point in points])
    moments = (PointInTime(seq=one), PointInTime(seq=other))
    difference = await diff(visit.application, now.campaign_id, reader, moments, visit.visitor.reads_as)
    before, after = [
        await visit.application.campaigns.see(now.campaign_id, reader, moment, visit.visitor.reads_as)
        for moment in moments
    ]
    things = [
        changed_thing
        for changed_thing in _things(before, after, difference)
        if changed_thing.values or changed_thing.is_new or changed_thing.is_gone or changed_thing.untold
    ]
    first = (nth - 1) * THINGS_MAX
    path = f"{campaign_path(now)}/compare?from={one}&to={other}"
    listed = difference.actions[:ACTIONS_MAX]
    return Comparison(
        before=one,
        after=other,
        things=[_compared(now, one, other, changed_thing) for changed_thing in things[first : first + THINGS_MAX]],
        total=len(things),
        earlier_things=f"{path}&page={nth - 1}" if nth > 1 else "",
        later_things=f"{path}&page={nth + 1}" if first + THINGS_MAX < len(things) else "",
        actions=[
            ActionBetween(action.seq, action_path(now, action.seq), action.summary, action.undone)
            for action in listed
        ],
        more=difference.more or len(difference.actions) > ACTIONS_MAX,
    )


def _things(before: VisibleCampaign, after: VisibleCampaign, difference: Diff) -> Iterator[ChangedThing]:
    """All that differs: sheets, what is of the whole campaign, boards, and the settings."""
    telling = InWords(after, difference.names, before)
    yield from telling.sheets(difference.changes)
    yield _campaign(before, after)
    yield _money(after, difference)
    yield from telling.boards(difference.changes)
    yield telling.settings(difference.changes)


def _campaign(before: VisibleCampaign, after: VisibleCampaign) -> ChangedThing:
    """The differences of the campaign as a whole."""
    language = after.language

    def facts_of(campaign: VisibleCampaign) -> dict[str, Part]:
        state = campaign.state
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

    one, other = facts_of(before), facts_of(after)
    values = [
        ChangedValue((title,), _as_text(one[title], language), _as_text(other[title], language)) for title in other
    ]
    return ChangedThing(
        render(say("The campaign"), language),
        [changed_value for changed_value in values if changed_value.before != changed_value.after],
    )


def _as_text(part: Part, language: str) -> str:
    return render(part, language) if isinstance(part, Sentence) else str(part)


def _money(after: VisibleCampaign, difference: Diff) -> ChangedThing:
    """The balances that differ, by account and currency, but for those that stand on sheets."""
    language = after.language
    values = []
    for balance in difference.changes.balances:
        account, _, currency = balance.path.rpartition(".")
        name = account_name(account, after.name)
        if name == account.replace(":", ": ", 1) or account.partition(":")[2] in difference.changes.sheets:
            continue  # of no person or thing: those it comes from tell it, and sheets tell their own
        title = f"{name}, {after.name(currency) if is_born(currency) else key_in_words(currency)}"
        texts = [
            "" if side is None else render(number(side), language) for side in (balance.before, balance.after)
        ]
        values.append(ChangedValue((title,), *texts))
    return ChangedThing(render(say("Money"), language), values)


def _compared(now: VisibleCampaign, one: int, other: int, thing: ChangedThing) -> ComparedPart:
    if not thing.character or thing.is_gone:
        return ComparedPart(thing, "", SheetLinks({}))
    sheet, is_now = f"{campaign_path(now)}/sheets/{thing.character}", other == now.seq
    links = SheetLinks({}, explained_at(sheet, None if is_now else other))
    return ComparedPart(thing, f"{sheet}?{'' if is_now else f'at={other}&'}pin={one}", links)
