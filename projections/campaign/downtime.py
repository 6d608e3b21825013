"""Downtime: how long it lasts, each character's activity, and its progress."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.campaign.calendar.dates import Date
from domain.campaign.calendar.downtime import missing
from domain.campaign.settings import OWN, language_of, settings_of
from domain.campaign.state import Activity, CampaignState
from domain.ids import CharacterId
from projections.campaign.dates import date_in
from projections.campaign.narration import span
from projections.languages import render


class ActivityView(Struct, frozen=True):
    """A character's activity: `planned` (a GM has to decide), `running`, or `waiting` for what it `needs`.

    `done_seconds` of `takes_seconds` have passed; `remaining` says the rest in words; `date` is when it is done.
    """

    activity: str
    character: CharacterId
    character_name: str
    kind: str
    title: str
    state: str
    takes_seconds: int
    done_seconds: int
    remaining: str
    date: Date | None
    needs: list[str]
    price: int
    earns: int
    currency: str | None
    account: str | None


class DowntimeView(Struct, frozen=True):
    """The current downtime (null: none), until when, and the activities in it."""

    as_of: int
    downtime: str | None
    now: Date
    until: Date | None
    activities: list[ActivityView]
    names: dict[str, str] = {}


def downtime_view(
    state: CampaignState, as_of: int, name: Callable[[Any], str], language: str | None = None
) -> DowntimeView:
    """The downtime as the audience of this state sees it, in a language; None: the campaign's."""
    language = language or language_of(state.changed_settings)
    shape = settings_of(OWN, state.changed_settings).calendar
    until = state.downtime_until
    return DowntimeView(
        as_of=as_of,
        downtime=state.downtime,
        now=date_in(language, state.game_time, shape),
        until=None if until is None else date_in(language, until, shape),
        activities=[_view(state, each, name, language) for each in state.activities.values()],
    )


def _view(state: CampaignState, each: Activity, name: Callable[[Any], str], language: str) -> ActivityView:
    left = each.takes if each.due is None else max(0, each.due - state.game_time)
    needs = missing(each)
    shape = settings_of(OWN, state.changed_settings).calendar
    return ActivityView(
        activity=each.activity_id,
        character=each.character,
        character_name=name(each.character),
        kind=each.kind,
        title=each.title,
        state="planned" if each.due is None else "waiting" if needs and not left else "running",
        takes_seconds=each.takes,
        done_seconds=max(0, each.takes - left),
        remaining=render(span(left), language),
        date=None if each.due is None else date_in(language, each.due, shape),
        needs=needs,
        price=each.price,
        earns=each.earns,
        currency=each.currency,
        account=each.account,
    )
