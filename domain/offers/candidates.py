"""The campaign's own candidates for the fields of commands, as a state knows them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import Any, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from domain.campaign.calendar.calendar_setting import calendar_in
from domain.campaign.calendar_shapes import date_of
from domain.campaign.commands import AdoptCharacter, AdvanceCalendar, PostEntry, StartDowntime
from domain.campaign.lifecycle.deletion_request import DAY_MICROSECONDS
from domain.campaign.lifecycle.imported_people import strangers
from domain.campaign.messages.downtime import PlanActivity
from domain.campaign.messages.escrow import OfferTransfer
from domain.campaign.messages.things import CreateThing, MoveThing, Split
from domain.campaign.messages.timers import ScheduleTimer
from domain.campaign.money.escrow import offered_from
from domain.campaign.play.characters import characters, titles
from domain.campaign.play.ledger_accounts import ESCROW, FOUND, GROUP, PLAYER, USED_UP, kind_of, purse_of
from domain.campaign.play.names import renameable
from domain.campaign.settings import OWN, described, settings_of
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.field_references import Candidates, Given
from domain.ids import CharacterId, SystemId
from domain.offers.fields import fields_of
from domain.personal_text import AMOUNT_MAX
from domain.systems import SYSTEMS
from domain.systems.system import RuleSystem
from domain.type_cache import once_per_kind

TRANSFERS_MAX = 10
"""So many accounts are tried as one that has something to give."""
YEARS_LOOKED_AT = 8
"""Among so many years there is mostly a leap year."""


def _characters(state: CampaignState, _inputs: Given, context: CommandContext) -> list[CharacterId]:
    """The asker's own first."""
    everybody = characters(state)
    own = [character.character for character in everybody if character.player == context.account]
    return [*own, *(character.character for character in everybody if character.player != context.account)]


def _in_story(state: CampaignState, inputs: Given, context: CommandContext) -> list[CharacterId]:
    """Those who have not left the story come first."""
    return sorted(_characters(state, inputs, context), key=lambda character: character in state.departures)


def _departures(state: CampaignState, _inputs: Given, _context: CommandContext) -> list[CharacterId]:
    return [*state.departures]


def _members(state: CampaignState, _inputs: Given, context: CommandContext) -> list[str]:
    """The asker first, then players, GMs and observers."""
    order = ["player", "gm", "observer"]
    others = sorted(state.members.items(), key=lambda pair: (order.index(pair[1]), str(pair[0])))
    return [str(context.account), *(str(account) for account, _ in others if account != context.account)]


def _timers(state: CampaignState, _inputs: Given, _context: CommandContext) -> list[str]:
    return [*state.timers]


def _activities(state: CampaignState, _inputs: Given, _context: CommandContext) -> list[str]:
    return [*state.activities]


def _requirements(state: CampaignState, inputs: Given, _context: CommandContext) -> Iterator[str]:
    """The open requirements of the given activity; without one, of any activity."""
    activity_id = inputs.get("activity")
    for activity in state.activities.values():
        if activity_id in (None, activity.activity_id):
            yield from (need for need in activity.requires if need not in activity.met)


def _entries(state: CampaignState, _inputs: Given, _context: CommandContext) -> list[str]:
    return [*state.pending_entries]


def _undo_requests(state: CampaignState, _inputs: Given, _context: CommandContext) -> list[str]:
    return [str(action_id) for action_id in state.undo_requests]


def _arrivals(state: CampaignState, _inputs: Given, _context: CommandContext) -> list[str]:
    return [*state.arrivals]


def _imported_people(state: CampaignState, _given: Given, _context: CommandContext) -> list[str]:
    return [str(each) for each in strangers(state)]


def _accounts(state: CampaignState, inputs: Given, context: CommandContext) -> list[str]:
    """The accounts of the chart, of everything that moved so far, and of characters, the asker's own first."""
    own = str(context.account)
    people = [purse_of(character) for character in _in_story(state, inputs, context)]
    accounts = dict.fromkeys((f"member:{own}", *titles(state), *state.balances, "world:bank", *people))
    return sorted(
        (account for account in accounts if not account.startswith("escrow:")),
        key=lambda account: own not in account,
    )


def _holders(state: CampaignState, inputs: Given, context: CommandContext) -> list[str]:
    """The accounts between which things move: those of characters and players too, whatever they hold so far."""
    people = [purse_of(character) for character in _in_story(state, inputs, context)]
    players = [f"{PLAYER}:{member}" for member, role in state.members.items() if role != "observer"]
    known = _accounts(state, inputs, context)
    return [*dict.fromkeys((*people, GROUP, *players, *known, USED_UP, *([FOUND] if context.is_gm else ())))]


def _things(state: CampaignState, _inputs: Given, _context: CommandContext) -> list[str]:
    return [*state.things]


def _currencies(state: CampaignState, _inputs: Given, _context: CommandContext) -> Iterator[str]:
    for balances in state.balances.values():
        yield from balances
    for system in state.systems:
        yield from SYSTEMS[system].currencies


def _posted(state: CampaignState, inputs: Given, _context: CommandContext) -> Iterator[int]:
    """Any amount, or as much as is in the account that is named, which may not owe anything."""
    yield from (1, AMOUNT_MAX)
    yield from state.balances.get(str(inputs.get("debit")), {}).values()


def _balances(state: CampaignState, inputs: Given, context: CommandContext) -> Iterator[int]:
    """The currencies that the named account can give, or any account."""
    yield 1
    for account in state.balances:
        if inputs.get("debit") in (None, account):
            yield from offered_from(state, context, account)


def _settings(state: CampaignState, _inputs: Given, _context: CommandContext) -> list[str]:
    return [setting.key for setting in described([*state.systems], state.changed_settings, state.rulings)]


def _setting_values(state: CampaignState, inputs: Given, _context: CommandContext) -> list[Any]:
    """The values of the setting whose key is given, or its present value where the values are not a few."""
    owner, _, name = str(inputs.get("key")).partition(".")
    if owner != "campaign" and owner not in state.systems:
        return []
    now = settings_of(owner, state.changed_settings)
    [*field] = (setting for setting in fields_of(type(now)) if setting.name == name)
    return [value for setting in field for value in (setting.values or [msgspec.to_builtins(now)[name]])]


def _hidden_things(state: CampaignState, _inputs: Given, _context: CommandContext) -> Iterator[str]:
    """The things that may enter play, of all that the systems know: those not known to be open already."""
    yield from state.things
    for system, inner in state.systems.items():
        entering = SYSTEMS[system].may_enter(inner)
        for name in _maps_in(inner.__class__):
            things = getattr(inner, name)
            if any(id_ in things for id_ in entering):  # else a roll more would be a reason to look again
                for id_, thing in things.items():
                    if isinstance(thing, Struct) and getattr(thing, "hidden", True) and id_ in entering:
                        yield id_


@once_per_kind
def _maps_in(kind: type[Struct]) -> list[str]:
    """The fields of a state that are maps."""
    hints = get_type_hints(kind)
    return [name for name in kind.__struct_fields__ if get_origin(hints[name]) is dict]


def _nameable(state: CampaignState, _inputs: Given, context: CommandContext) -> list[str]:
    """Everything that can be renamed, the asker's own first."""
    things = renameable(state)
    return sorted(things, key=lambda thing: things[thing] != context.account)


def _systems(state: CampaignState, _inputs: Given, _context: CommandContext) -> list[SystemId]:
    return [*state.systems]


def _months(state: CampaignState, _inputs: Given, _context: CommandContext) -> list[int]:
    """The months and festivals of the calendar, counted from 1."""
    return [*range(1, len(calendar_in(state).shape.months) + 1)]


def _weekdays(state: CampaignState, _inputs: Given, _context: CommandContext) -> list[int]:
    """The days of the calendar's week, counted from 1."""
    return [*range(1, len(calendar_in(state).shape.week) + 1)]


def _end_days(state: CampaignState, _inputs: Given, _context: CommandContext) -> list[int]:
    """The first and last days of months, as they are written, in this year and the next ones."""
    calendar = calendar_in(state)
    year = calendar.counted_year(calendar.date_of(state.game_time).year)
    months = range(len(calendar.shape.months))
    days = (calendar.days.days_of(year + later, month) for later in range(YEARS_LOOKED_AT) for month in months)
    return [day for first_and_last in days if first_and_last is not None for day in first_and_last]


def _end_nths(state: CampaignState, _inputs: Given, _context: CommandContext) -> list[int]:
    """The first of a weekday in a month, and the last that the longest month has."""
    shape = calendar_in(state).shape
    longest = max((month.days for month in shape.months if month.kind == "month"), default=1)
    return [1, max(1, -(-longest // max(1, len(shape.week))))]


def _end_hours(state: CampaignState, _inputs: Given, _context: CommandContext) -> list[int]:
    return [0, calendar_in(state).clock.hours - 1]


def _end_minutes(state: CampaignState, _inputs: Given, _context: CommandContext) -> list[int]:
    return [0, calendar_in(state).clock.minutes - 1]


def _session_dates(state: CampaignState, _inputs: Given, context: CommandContext) -> list[str]:
    """The dates for the next play session; without any, the evening in a week."""
    if state.next_session is not None:
        return state.next_session.dates
    in_a_week = date(1970, 1, 1) + timedelta(days=context.at // DAY_MICROSECONDS + 7)
    return [in_a_week.strftime("%Y-%m-%dT19:00Z")]


def _epochs(state: CampaignState, _inputs: Given, _context: CommandContext) -> list[int]:
    return [epoch.epoch for epoch in reversed(state.dice.epochs)]


CANDIDATES: Mapping[str, Candidates] = {
    "character": _in_story,
    "retired": _departures,
    "member": _members,
    "timer": _timers,
    "activity": _activities,
    "requirement": _requirements,
    "entry": _entries,
    "undo_request": _undo_requests,
    "arrival": _arrivals,
    "imported_person": _imported_people,
    "account": _accounts,
    "holder": _holders,
    "currency": _currencies,
    "thing": _things,
    "balance": _balances,
    "posted": _posted,
    "setting": _settings,
    "setting_value": _setting_values,
    "system": _systems,
    "session_date": _session_dates,
    "dice_epoch": _epochs,
    "month": _months,
    "weekday": _weekdays,
    "end_nth": _end_nths,
    "end_day": _end_days,
    "end_hour": _end_hours,
    "end_minute": _end_minutes,
    "hidden": _hidden_things,
    "named": _nameable,
}


def candidates_of(
    system: RuleSystem | None, state: CampaignState, context: CommandContext
) -> Callable[[str, Given], Iterable[Any]]:
    """Finds the candidates of a field that names a kind of thing, in a system's commands or the campaign's own."""

    def find(kind: str, inputs: Given) -> Iterable[Any]:
        if system is not None and kind in system.candidates:
            return system.candidates[kind](state.systems[system.id], inputs, context)
        everybody = system.characters(state.systems[system.id]) if system is not None else []
        if kind == "character" and everybody:
            everybody = [character for character in everybody if character.character not in state.departures]
            own = [character.character for character in everybody if character.player == context.account]
            return [*own, *(character.character for character in everybody if character.player != context.account)]
        return CANDIDATES[kind](state, inputs, context) if kind in CANDIDATES else ()

    return find


def _adoptions(state: CampaignState, inputs: Given, context: CommandContext) -> Iterator[Given]:
    """A sheet for each system, or for the one that is given, with nothing on it but the required fields."""
    for system, inner in state.systems.items():
        sheets = SYSTEMS[system].candidates.get("sheet")
        if sheets is not None and inputs.get("system") in (None, system):
            yield from ({"system": system, "sheet": sheet} for sheet in sheets(inner, {}, context))


def alike(state: CampaignState, context: CommandContext) -> Callable[[str], Callable[[Any], Any]]:
    """The parts of values of a kind that the rules look at: an account by kind, balances and whose it is."""

    def looked_at(kind: str) -> Callable[[Any], Any]:
        if kind not in ("account", "holder"):
            return lambda value: value
        mine = (character for character in characters(state) if character.player == context.account)
        own = {str(context.account), *(str(character.character) for character in mine)}

        def of_account(account: str) -> Any:
            prefix, _, owner = account.partition(":")
            balances = state.balances.get(account, {}).items()
            return prefix, owner in own, *sorted(currency for currency, balance in balances if balance > 0)

        return of_account

    return looked_at


def _transfers(state: CampaignState, inputs: Given, context: CommandContext) -> Iterator[Given]:
    """From an account that has something to another one; those on sheets last, which have rules of their own."""
    owners = {str(character.character) for character in characters(state)}
    accounts = _accounts(state, inputs, context)
    for debit in sorted(accounts, key=lambda account: account.partition(":")[2] in owners)[:TRANSFERS_MAX]:
        credit = next((account for account in accounts if account != debit), None)
        for currency, balance in state.balances.get(debit, {}).items():
            if balance > 0 and credit is not None:
                yield {"currency": currency, "debit": debit, "credit": credit, "amount": 1}


def _new_things(state: CampaignState, inputs: Given, context: CommandContext) -> Iterator[Given]:
    """A thing for the first account that may hold it."""
    yield from ({"name": "Rope", "account": account} for account in _holders(state, inputs, context)[:1])


def _moves(state: CampaignState, inputs: Given, context: CommandContext) -> Iterator[Given]:
    """From an account that holds a thing to another one."""
    accounts = _holders(state, inputs, context)
    for debit, balances in state.balances.items():
        credit = next((account for account in accounts if account != debit), USED_UP)
        for thing, balance in balances.items():
            if thing in state.things and balance > 0 and kind_of(debit) != ESCROW:
                yield {"thing": thing, "debit": debit, "credit": credit}


def _splits(state: CampaignState, inputs: Given, context: CommandContext) -> Iterator[Given]:
    """An amount that can be moved, to one account."""
    for move in (*_moves(state, inputs, context), *_transfers(state, inputs, context)):
        among = [{"account": move["credit"]}]
        yield {
            "currency": move.get("thing") or move["currency"],
            "debit": move["debit"],
            "among": among,
            "amount": 1,
        }


def _drafts_of_time(first: Given) -> Candidates:
    """Drafts of a command that takes a span or a date: the `first` one, and one until a year to come."""

    def drafts(state: CampaignState, _inputs: Given, _context: CommandContext) -> Iterator[Given]:
        yield first
        year = date_of(state.game_time, settings_of(OWN, state.changed_settings).calendar).year
        yield {"until": {"year": year + 2, "month": 1, "day": 1}}

    return drafts


DRAFTS: Mapping[type, Candidates] = {
    AdoptCharacter: _adoptions,
    CreateThing: _new_things,
    MoveThing: _moves,
    Split: _splits,
    AdvanceCalendar: _drafts_of_time({"by": {"hours": 1}}),
    OfferTransfer: _transfers,
    PlanActivity: _drafts_of_time({"takes": {"hours": 1}}),
    PostEntry: _transfers,
    ScheduleTimer: _drafts_of_time({"after": {"hours": 1}}),
    StartDowntime: _drafts_of_time({}),
}
