"""The settings of a campaign as a form: the value of each, its possible values, and the entry for it."""

from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct, structs

from domain.campaign.settings import FAULTS_MAX, OWN, SettingHelp, described
from domain.ids import SystemId
from domain.offers.fields import Field, fields_of
from domain.sentences import Part, in_a_row, number, say, say_many
from domain.shape_faults import Place, faults_in, field_type
from domain.systems import SYSTEMS
from projections.campaign_words.setting_values import VALUES
from projections.command_forms import CommandField, CommandWords, FieldChoice
from projections.setting_words import NO, YES, capitalise
from projections.titles import settings_type
from projections.word_list import SettingWords, word_list
from services.campaign.visible_campaign import VisibleCampaign
from services.http.screen.commands.command_form import LEFT_OPEN, Drawing, FormField
from services.http.screen.commands.form_entries import Entries, FormEntries, entries_of, read_fields
from services.http.screen.shared.fault_words import NEEDED, told_fault


class ShownSetting(Struct, frozen=True):
    """A setting: its name and purpose, its value, and its default if that differs."""

    title: str
    help: str
    value: Part
    default: Part
    field: FormField | None
    """None where the reader may not change it."""
    is_long: bool
    """Folded unless it is open."""
    is_open: bool


class SettingGroup(Struct, frozen=True):
    """The settings of the campaign itself, or of one of its games."""

    room: str
    title: Part
    settings: list[ShownSetting]


class SettingForm:
    """The settings of a campaign; with `entries`, as they were entered. `wrong` is by field."""

    def __init__(self, campaign: VisibleCampaign, entries: Entries | None = None) -> None:
        self._campaign = campaign
        self._known = settings_in(campaign)
        self._rooms = {room: _fields(room) for room in (OWN, *map(str, campaign.state.systems))}
        self._inputs = FormEntries(self._as_they_are() if entries is None else entries)
        self.wrong: dict[str, Part] = {}

    def read_settings(self) -> dict[str, Any]:
        """The settings as entered, as JSON has them, by key; `wrong` then says what cannot be taken."""
        settings = {}
        for room, fields in self._rooms.items():
            values = read_fields(fields, room, self._inputs)
            for field in fields:
                key = f"{room}.{field.name}"
                if field.name not in values:
                    self.wrong[key] = NEEDED
                    continue
                kind, value = settings_type(room), values[field.name]
                faults = [*islice(faults_in(value, field_type(kind, field.name)), FAULTS_MAX)]
                for fault in faults:
                    self.wrong.setdefault(self._path(field, key, fault.place), told_fault(fault))
                if not faults:  # with the defaults of what may be left empty
                    whole = msgspec.convert({field.name: value}, kind)
                    settings[key] = msgspec.to_builtins(getattr(whole, field.name))
        return settings

    def groups(self, *, may_change: bool) -> list[SettingGroup]:
        """All settings, in the order in which their rooms have them."""
        form_fields = self._draw_fields() if may_change else {}
        words = word_list(self._campaign.language).settings
        return [
            SettingGroup(
                room,
                say("Campaign") if room == OWN else SYSTEMS[SystemId(room)].title,
                [
                    _show_setting(
                        self._known[key], words[key], field, form_fields.get(key), is_open=self._is_open(key)
                    )
                    for field in fields
                    for key in (f"{room}.{field.name}",)
                ],
            )
            for room, fields in self._rooms.items()
        ]

    def _as_they_are(self) -> Entries:
        return [
            entry
            for room, fields in self._rooms.items()
            for entry in entries_of(
                settings_type(room),
                {field.name: self._known[f"{room}.{field.name}"].value for field in fields},
                room,
            )
        ]

    def _draw_fields(self) -> dict[str, FormField]:
        words = CommandWords(self._campaign.name, self._campaign.language)
        drawing = Drawing(self._inputs, (), {}, is_sent=True, wrong=self.wrong)
        return {
            form_field.path: form_field
            for room, fields in self._rooms.items()
            for form_field in drawing.fields(
                fields, [_with_words(room, view) for view in words.record(settings_type(room))], room
            )
        }

    def _is_open(self, key: str) -> bool:
        """Whether something in a setting is wrong, or a row of it was just added or taken away."""
        touched = self._inputs.last("do").partition(":")[2]
        return any(path == key or path.startswith(f"{key}.") for path in (*self.wrong, touched))

    def _path(self, field: Field, path: str, place: Place) -> str:
        """The path of the entry that a fault is about: rows that hold nothing are not counted by it."""
        for step in place:
            if field.kind == "list" and field.item is not None:
                rows = [row for row in self._inputs.rows(path) if self._holds(field.item, f"{path}.{row}")]
                if not isinstance(step, int) or step >= len(rows):
                    return path
                path, field = f"{path}.{rows[step]}", field.item
            else:
                inner = next((part for part in field.fields if part.name == step), None)
                if inner is None:
                    return path
                path, field = f"{path}.{step}", inner
        return path

    def _holds(self, item: Field, path: str) -> bool:
        return item.kind != "text" or bool(self._inputs.last(path))


def settings_in(campaign: VisibleCampaign) -> dict[str, SettingHelp]:
    """The settings of a campaign by key, as it is seen."""
    state = campaign.state
    return {setting.key: setting for setting in described([*state.systems], state.changed_settings, state.rulings)}


def _fields(room: str) -> list[Field]:
    """The settings of a room as fields in which something has to be entered."""
    return [structs.replace(field, required=True) for field in fields_of(settings_type(room))]


def _with_words(room: str, view: CommandField) -> CommandField:
    """A field with the words for its values that the setting has, what means no at the end."""
    key = f"{room}.{view.name}"
    words = VALUES.get(key, {})
    choices = view.choices or []
    ordered = sorted(choices, key=lambda choice: words.get(choice.value) is NO)
    titled = [FieldChoice(choice.value, capitalise(choice.title)) for choice in ordered]
    return structs.replace(view, required=True, choices=titled or view.choices)


def _show_setting(
    setting: SettingHelp, words: SettingWords, field: Field, form_field: FormField | None, *, is_open: bool
) -> ShownSetting:
    return ShownSetting(
        title=words.title,
        help=words.help,
        value=_in_words(setting.value, words),
        default="" if setting.value == setting.default else _within_words(setting, words),
        field=None if form_field is None else structs.replace(form_field, help=words.help),
        is_long=field.kind in ("list", "record"),
        is_open=is_open,
    )


def _within_words(setting: SettingHelp, words: SettingWords) -> Part:
    """A setting's default, in the middle of other words."""
    if isinstance(setting.default, bool):
        return YES if setting.default else NO
    sentence = VALUES.get(setting.key, {}).get(setting.default) if isinstance(setting.default, str) else None
    return sentence or _in_words(setting.default, words)


def _in_words(value: Any, words: SettingWords) -> Part:
    """A setting's value, in a line."""
    match value:
        case None:
            return LEFT_OPEN
        case {"months": [*months], "week": [*week], "year": int()}:
            days = sum(month["days"] for month in months)
            return say(
                "{months}, {days}, {week}; it begins in the year {year}",
                months=say_many("one month", "{n} months", len(months)),
                days=say_many("one day a year", "{n} days a year", days),
                week=say_many("weeks of one day", "weeks of {n} days", len(week)) if week else say("no weeks"),
                year=str((value.get("starts") or value)["year"]),
            )
        case []:
            return say("No accounts")
        case list():
            return in_a_row(account["title"] for account in value)
        case str() | bool():
            return words.values.get(str(value).lower(), str(value))
        case _:
            return number(value)
