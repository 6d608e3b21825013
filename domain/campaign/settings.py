"""Settings: the rulings that a group may change, typed, with a default and a help text.

A key is `<system>.<name>`, or `campaign.<name>` for settings of no system. A campaign's state keeps only the
changed ones; the typed struct with all defaults is built from that.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from typing import Annotated, Any, Literal, get_type_hints

import msgspec
from msgspec import Meta, Struct, structs

from domain.campaign.calendar_checks import fault_of
from domain.campaign.calendar_shapes import PRESETS, CalendarDate, CalendarShape, as_json, earth
from domain.campaign.commands import SetSetting
from domain.campaign.events import SettingChanged
from domain.campaign.messages.base_types import Account
from domain.command_context import CommandContext
from domain.dice.dialects import Notation
from domain.field_help import field_help
from domain.ids import SystemId
from domain.one_line import on_one_line
from domain.personal_text import Name
from domain.rejection import Rejection
from domain.sentences import ENGLISH, Language, say
from domain.shape_faults import choices_of, faults_in, field_type
from domain.systems import SYSTEMS

OWN = "campaign"
CALENDAR = f"{OWN}.calendar"
LANGUAGE = "campaign.language"

RULINGS = 1
"""The rulings of ledgers in new campaigns; older campaigns keep theirs."""

SINCE_RULINGS: dict[str, Any] = {f"{OWN}.debt": "shared"}
"""The defaults that differ in campaigns from the first rulings on."""


FAULTS_MAX = 20
"""More of a value are not told."""


class ChartAccount(Struct, frozen=True, forbid_unknown_fields=True):
    """An account in the group's chart."""

    account: Account
    title: Name
    debt: bool = False


class CampaignSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings that belong to the campaign itself."""

    dice_origins: Annotated[
        Literal["any", "server", "table"],
        Meta(description="Whose dice count: the service's, the table's own typed in, or either."),
    ] = "any"
    timer_clock: Annotated[
        Literal["game", "real"],
        Meta(description="Which clock a timer follows when it names none: the campaign's calendar, or real time."),
    ] = "game"
    downtime_approval: Annotated[
        Literal["none", "gm"],
        Meta(description="Whether what players do in downtime starts only when a GM has approved it."),
    ] = "none"
    adoption_approval: Annotated[
        Literal["none", "gm"],
        Meta(
            description="Whether a character that a player brings in from another campaign comes in only when a "
            "GM has agreed."
        ),
    ] = "gm"
    debt: Annotated[
        Literal["allowed", "shared", "refused"],
        Meta(
            description="Whether accounts may go below zero by hand or by timers: all, all but the purses of "
            "members and characters, or none; the world's always may."
        ),
    ] = "allowed"
    chart: Annotated[
        list[ChartAccount],
        Meta(
            description="The group's accounts, with their titles, and which of them may go below zero.",
            max_length=200,
        ),
    ] = []
    calendar: Annotated[
        CalendarShape,
        Meta(description="The group's calendar: its months with their days, its week, its first year."),
    ] = CalendarShape()
    language: Annotated[
        Language,
        Meta(description="The language of this group: what happened, boards and refusals."),
    ] = ENGLISH
    player_undo: Annotated[
        Literal["own_last", "own", "nothing"],
        Meta(
            description="What players may undo without asking a GM: their own last action, any of their own, or "
            "nothing. Never one that the service rolled dice for, or that something later depends on."
        ),
    ] = "own_last"

    dice_after_undo: Annotated[
        Literal["same", "new"],
        Meta(
            description="Which dice fall when somebody rolls again after an undo: the same ones, or new ones, "
            "which the chronicle points out. What is set when something is undone counts."
        ),
    ] = "same"
    notation: Annotated[
        Notation,
        Meta(
            description="Whose dice notation free rolls are in, where tools read the same differently: Fieldlog's "
            "own, or that of Roll20, Foundry VTT or Avrae."
        ),
    ] = "fieldlog"


UNDO_SETTINGS = frozenset({f"{OWN}.player_undo", f"{OWN}.dice_after_undo"})
"""Settings of the right to undo, and of the consequences."""


class SettingHelp(Struct, frozen=True):
    """One setting as people read it: its present value, its default, its meaning.

    `choices` are the values that it may have; null where they are not so few.
    """

    key: str
    value: Any
    default: Any
    help: str
    choices: list[Any] | None


def settings_of(owner: str, changed_settings: Mapping[str, Any]) -> Any:
    """The typed settings of `campaign` or of a system, from the changed ones."""
    if not changed_settings:
        return _defaults(owner)
    own = {
        key.removeprefix(f"{owner}."): value
        for key, value in changed_settings.items()
        if key.startswith(f"{owner}.")
    }
    return msgspec.convert(own, _kind(owner)) if own else _defaults(owner)


def language_of(changed_settings: Mapping[str, Any]) -> str:
    """The language of a campaign with these changed settings."""
    language: str = changed_settings.get(LANGUAGE, ENGLISH)
    return language


def standing(changed_settings: Mapping[str, Any], rulings: int) -> Mapping[str, Any]:
    """The changed settings over the defaults of a campaign created under these rulings."""
    return {**SINCE_RULINGS, **changed_settings} if rulings else changed_settings


def described(systems: list[SystemId], changed_settings: Mapping[str, Any], rulings: int) -> list[SettingHelp]:
    """Every setting of a campaign with these systems, created under these rulings."""
    return [
        SettingHelp(
            key=f"{owner}.{name}",
            value=msgspec.to_builtins(getattr(settings_of(owner, standing(changed_settings, rulings)), name)),
            default=msgspec.to_builtins(getattr(settings_of(owner, standing({}, rulings)), name)),
            help=field_help(kind, name),
            choices=choices_of(field_type(kind, name)),
        )
        for owner in (OWN, *systems)
        for kind in (_kind(owner),)
        for name in kind.__struct_fields__
    ]


def help_of(key: str) -> str | None:
    """The help text of a setting; None for an unknown key."""
    owner, _, name = key.partition(".")
    is_known = owner == OWN or owner in SYSTEMS
    return field_help(_kind(owner), name) or None if is_known and name in _kind(owner).__struct_fields__ else None


def change_setting(systems: list[SystemId], command: SetSetting) -> SettingChanged:
    """The event of a changed setting. Raises `unknown_setting` and `setting_invalid`."""
    owner, _, name = command.key.partition(".")
    if owner not in (OWN, *systems) or name not in _kind(owner).__struct_fields__:
        raise Rejection("unknown_setting", say("This campaign has no such setting."), setting=command.key)
    if command.value is None:
        return SettingChanged(key=command.key, value=None)
    if command.key == CALENDAR and command.value in PRESETS:
        return SettingChanged(key=command.key, value=as_json(earth()) if command.value == "earth" else None)
    type_ = field_type(_kind(owner), name)
    if faults := [*islice(faults_in(command.value, type_), FAULTS_MAX)]:
        raise Rejection(
            "setting_invalid",
            say("That setting cannot have this value: {reason}.", reason=faults[0].sentence),
            setting=command.key,
            choices=choices_of(type_),
            faults=[{"pointer": fault.pointer, "allowed": fault.allowed} for fault in faults],
        )
    if command.key == CALENDAR and (fault := fault_of(msgspec.convert(command.value, CalendarShape))) is not None:
        raise Rejection(
            "setting_invalid", say("That is no calendar: {reason}.", reason=fault), setting=command.key
        )
    return SettingChanged(key=command.key, value=command.value)


def calendar_at_creation(value: Any, at: int) -> dict[str, Any] | None:
    """The calendar that a new campaign begins with, of a preset's name; None: none of its own.

    `at` is the moment of its creation, in microseconds UTC: the calendar of Earth begins with that day.
    """
    if value != "earth":
        return None
    today = datetime.fromtimestamp(at // 1_000_000, UTC)
    return as_json(earth(CalendarDate(today.year, today.month, today.day)))


def with_names_on_one_line(event: SettingChanged, context: CommandContext) -> SettingChanged:
    """A changed setting with the names in its value trimmed, unless that was decided before.

    Raises `not_one_line`, `only_blanks` and `named_twice`.
    """
    if context.decided_before or event.value is None:
        return event
    owner, _, name = event.key.partition(".")
    hints = get_type_hints(_kind(owner), include_extras=True)
    return structs.replace(event, value=on_one_line(event.value, hints[name]))


@cache
def _defaults(owner: str) -> Any:
    return _kind(owner)()


def _kind(owner: str) -> type[Struct]:
    return CampaignSettings if owner == OWN else SYSTEMS[SystemId(owner)].settings
