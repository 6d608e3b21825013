"""Choices by the words that people read of them: `situation: "Behind cover"`, `situation: "À couvert"`.

The words of every language count, whichever one reads, and case, accents and dashes do not. A wire value stays
as it is. A request is put into wire values before it is decoded, so that the log holds no words.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, TypeAlias, get_args

from msgspec import Struct

from domain.campaign.command_request import AnyPlayCommand
from domain.campaign.commands import SetSetting
from domain.campaign.settings import CampaignSettings
from domain.campaign.state import CampaignState
from domain.names.name_resolution import Titles, as_compared
from domain.offers.fields import Field, fields_of
from domain.rejection import Rejection
from domain.sentences import Sentence, either, say
from domain.systems import SYSTEMS
from projections.languages import LANGUAGES, render
from projections.setting_words import NO, YES
from projections.titles import ROOMS, choice_title, settings_type, value_title

KINDS: Mapping[str, type[Struct]] = {kind.__struct_config__.tag: kind for kind in get_args(AnyPlayCommand)}
"""The commands by their wire names."""
Words: TypeAlias = Mapping[str, Mapping[Any, str]]
"""By a word as it is compared, the values that it means, each with the word as people read it."""
SETTING, SETTING_VALUE = "key", "setting_value"
"""The field that says which setting is set, and what its value names."""
SETTINGS = tuple(f"{room}.{field.name}" for room in ROOMS for field in fields_of(settings_type(room)))
FIXED: Mapping[str, tuple[str, ...]] = {"setting": SETTINGS, "system": tuple(map(str, SYSTEMS))}
"""The things that fields name and that are the same in every campaign, by kind."""
FLAGS: Mapping[bool, Sentence] = {True: YES, False: NO}


def has_words(body: Any) -> bool:
    """Whether a request may hold words in place of wire values."""
    try:
        return bool(with_values(body) != body)
    except Rejection:
        return True


def with_values(body: Any) -> Any:
    """A request with wire values for words; parts that are not said in a way its command knows stay as they are.

    Raises `ambiguous_word`, with the choices that are called so.
    """
    command = body.get("command") if isinstance(body, dict) else None
    if not isinstance(command, dict):
        return body
    kind = KINDS.get(str(command.get("type")))
    return body if kind is None else {**body, "command": command_with_values(command, kind)}


def command_with_values(command: Mapping[str, Any], kind: type[Struct]) -> dict[str, Any]:
    """A command, or a part of one, with wire values for words. Raises `ambiguous_word`."""
    fields = {field.name: field for field in fields_of(kind)}
    return {
        name: _value(part, fields[name], kind, name, command) if name in fields else part
        for name, part in command.items()
    }


def titles_in(state: CampaignState) -> Titles:
    """The titles, in every language, of choices without a name of their own, as a member knows the campaign."""

    def titles(struct: type[Struct], field: str, value: str) -> list[str]:
        title = choice_title(state.systems, value) or value_title(struct, field, value)
        return [render(title, language) for language in LANGUAGES]

    return titles


def _value(value: Any, field: Field, struct: type[Struct], word: str, around: Mapping[str, Any]) -> Any:
    """A value of a field in a struct; `word` is the field that a part of a list or map belongs to."""
    if field.variants:
        return _of_variants(value, field, struct, word, around)
    if isinstance(value, str):
        return _value_of_text(value, field, struct, word, around)
    if isinstance(value, list) and field.item is not None:
        return [_value(element, field.item, struct, word, around) for element in value]
    if not isinstance(value, dict):
        return value
    is_any = field.kind == "any" or (field.item is not None and field.item.kind == "any")  # such as an order
    kind = KINDS.get(str(value.get("type"))) if is_any else field.struct
    if kind is not None:
        return command_with_values(value, kind)
    return _with_values_in_map(value, field, struct, word) if field.kind == "map" else value


def _of_variants(value: Any, field: Field, struct: type[Struct], word: str, around: Mapping[str, Any]) -> Any:
    """A value of a field that takes several shapes: of the one that it has, which its type may say in words."""
    shapes = {
        str(shape.struct.__struct_config__.tag): shape for shape in field.variants if shape.struct is not None
    }
    if isinstance(value, dict) and isinstance(tag := value.get("type"), str):
        titles = {name: _titles(shape.struct or struct, field.name, name) for name, shape in shapes.items()}
        wire_tag = tag if tag in shapes else _only(tag, _by_word(titles), "type")
        shape = shapes.get(wire_tag)
        return value if shape is None else _value({**value, "type": wire_tag}, shape, struct, word, around)
    shape = next((variant for variant in field.variants if has_shape(variant, value)), None)
    return value if shape is None else _value(value, shape, struct, word, around)


def has_shape(field: Field, value: Any) -> bool:
    """Whether a value may be of a field's shape, as far as that tells it from others."""
    match value:
        case str():
            return field.kind in ("choice", "text")
        case list():
            return field.kind == "list"
        case dict() if field.struct is not None:
            return value.keys() <= {part.name for part in field.fields}
        case _:
            return isinstance(value, dict) and field.kind == "map"


def _with_values_in_map(value: dict[str, Any], field: Field, struct: type[Struct], word: str) -> dict[str, Any]:
    """A map with its keys and values; a word for what is a key already stays as it is."""
    assert field.key is not None
    assert field.item is not None
    items: dict[str, Any] = {}
    for key, item in value.items():
        wire_key = str(_value(key, field.key, struct, word, value))
        is_taken = wire_key != key and (wire_key in value or wire_key in items)
        items[key if is_taken else wire_key] = _value(item, field.item, struct, word, value)
    return items


def _value_of_text(text: str, field: Field, struct: type[Struct], word: str, around: Mapping[str, Any]) -> Any:
    """The value that a text in a field stands for."""
    if field.ref == SETTING_VALUE:
        return _value_of_setting(text, str(around.get(SETTING)))
    if field.kind != "choice" or field.ref not in (None, *FIXED):
        return text
    values = field.values if field.ref is None else FIXED[field.ref]
    return text if text in values else _only(text, _words(struct, word, values), field.name)


def _value_of_setting(text: str, key: str) -> Any:
    """The value that a text stands for in a setting; flags have words, too."""
    room, _, name = _only(key, _words(SetSetting, SETTING, SETTINGS), SETTING).partition(".")
    kind = settings_type(room) if room in ROOMS else CampaignSettings
    field = next((setting for setting in fields_of(kind) if setting.name == name), None)
    if field is None or text in field.values:
        return text
    words = _of_flags() if field.kind == "flag" else _words(kind, name, field.values)
    return _only(text, words, name)


@cache
def _words(struct: type[Struct], name: str, values: tuple[Any, ...]) -> Words:
    """The choices of a field by what they are called, each with how it is told."""
    return _by_word({value: _titles(struct, name, value) for value in values if isinstance(value, str)})


@cache
def _of_flags() -> Words:
    return _by_word({flag: [render(title, language) for language in LANGUAGES] for flag, title in FLAGS.items()})


def _titles(struct: type[Struct], name: str, value: str) -> list[str]:
    """The title of a value of a field, in every language."""
    return [render(value_title(struct, name, value), language) for language in LANGUAGES]


def _by_word(titles: Mapping[Any, Iterable[str]]) -> Words:
    words: dict[str, dict[Any, str]] = {}
    for value, names in titles.items():
        for name in (*names, str(value)):
            words.setdefault(as_compared(name), {}).setdefault(value, name)
    return words


def _only(text: str, words: Words, field: str) -> Any:
    """The only choice that is called so; a text that no choice is called stays. Raises `ambiguous_word`."""
    choices = words.get(as_compared(text), {})
    if len(choices) > 1:
        raise Rejection(
            "ambiguous_word",
            say(
                "“{word}” is more than one of the choices here: send {choices}.",
                word=text,
                choices=either(str(value) for value in choices),
            ),
            choices=[{field: value, "name": title} for value, title in choices.items()],
        )
    return next(iter(choices), text)
