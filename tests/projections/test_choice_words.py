"""Every choice of every command goes by the words that are shown of it, in any language, and by its wire value."""

import unicodedata
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any, Literal, get_args

import msgspec
import pytest
from msgspec import Struct

from domain.campaign.command_request import ActRequest, AnyPlayCommand
from domain.offers.fields import Field, fields_of
from domain.rejection import Rejection
from domain.systems import SYSTEMS
from projections.choice_words import command_with_values, has_words, with_values
from projections.languages import LANGUAGES, render
from projections.titles import value_title
from projections.word_list import word_list

Around = Callable[[Any], Any]
"""Puts a value into its place in a command."""


class Place(Struct, frozen=True):
    """Where a choice is made: in a command of a kind, in a field of a struct, with its values."""

    kind: type[Struct]
    struct: type[Struct]
    word: str
    values: tuple[str, ...]
    around: Around
    found: Callable[[Any], Any]


def places(kind: type[Struct]) -> Iterator[Place]:
    """Every choice of a command, at any depth."""
    tag = str(kind.__struct_config__.tag)
    for field in fields_of(kind):
        yield from _within(
            field,
            kind,
            field.name,
            _put_into(field.name, {"type": tag}),
            itemgetter(field.name),
            kind,
        )


def _put_into(name: str, rest: dict[str, str], around: Around = lambda value: value) -> Around:
    return lambda value: around({**rest, name: value})


def _get_from(name: str, found: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda command: found(command)[name]


def _within(
    field: Field, struct: type[Struct], word: str, around: Around, found: Callable[[Any], Any], kind: type[Struct]
) -> Iterator[Place]:
    values = tuple(value for value in field.values if isinstance(value, str))
    if field.kind == "choice" and field.ref is None and values:
        yield Place(kind, struct, word, values, around, found)
    for part in field.fields:
        own = field.struct or struct
        tag = {"type": tag} if isinstance(tag := own.__struct_config__.tag, str) else {}
        yield from _within(
            part,
            own,
            part.name,
            _put_into(part.name, tag, around),
            _get_from(part.name, found),
            kind,
        )
    if field.item is not None and field.kind == "list":
        yield from _within(
            field.item, struct, word, lambda value: around([value]), lambda said: found(said)[0], kind
        )
    if field.key is not None and field.item is not None:
        yield from _within(
            field.key, struct, word, lambda value: around({value: 1}), lambda said: next(iter(found(said))), kind
        )
        yield from _within(
            field.item, struct, word, lambda value: around({"-": value}), lambda said: found(said)["-"], kind
        )
    for shape in field.variants:
        yield from _within(shape, struct, word, around, found, kind)


def everywhere() -> list[Place]:
    return [place for kind in get_args(AnyPlayCommand) for place in places(kind)]


def without_accents(word: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFD", word) if unicodedata.category(char) != "Mn")


WRITTEN: dict[str, Callable[[str], str]] = {
    "as it is shown": str,
    "in capitals": str.upper,
    "without accents": without_accents,
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("how", WRITTEN)
def test_each_word_that_is_shown_of_a_choice_is_taken_for_it(language, how):
    count = 0
    for place in everywhere():
        for value in place.values:
            word = WRITTEN[how](render(value_title(place.struct, place.word, value), language))
            said = place.around(word)
            assert place.found(command_with_values(said, place.kind)) == value, (said, place.word)
            count += 1
    assert count > 250


def test_the_words_are_those_that_clients_read_in_the_list_of_words():
    """Beside those that forms show: what is taken is what the list of a language says of a field."""
    for language in LANGUAGES:
        words = word_list(language)
        for place in everywhere():
            if place.struct is place.kind:
                tag = str(place.kind.__struct_config__.tag)
                listed = words.structs[words.commands[tag].struct][place.word].values
                for value in place.values:
                    said = command_with_values(place.around(listed[value]), place.kind)
                    assert place.found(said) == value


def test_what_is_sent_by_wire_values_stays_as_it_is():
    for place in everywhere():
        for value in place.values:
            assert command_with_values(place.around(value), place.kind) == place.around(value)


def test_settings_and_rule_systems_go_by_their_titles():
    for language in LANGUAGES:
        for key, setting in word_list(language).settings.items():
            said: dict[str, Any] = {"type": "campaign.set_setting", "key": setting.title, "value": None}
            assert with_values({"command": said})["command"]["key"] == key
            for value, title in setting.values.items():
                decoded = with_values({"command": {**said, "value": title}})["command"]["value"]
                assert decoded == {"true": True, "false": False}.get(value, value), (key, title)
    for system, rules in SYSTEMS.items():
        said = {"type": "campaign.adopt_character", "system": rules.title.upper(), "sheet": {}}
        assert with_values({"command": said})["command"]["system"] == system


def test_a_command_within_an_order_is_said_in_words_too():
    rest = {"type": "freefall.restore_attribute", "attribute": "Corps", "amount": 1}
    effect = {"type": "Exécuter une commande", "command": rest}
    timer = {"type": "campaign.schedule_timer", "title": "Rest", "after": {"days": 1}, "effect": effect}
    decoded = with_values({"command": timer})["command"]["effect"]
    assert decoded == {"type": "order", "command": {**rest, "attribute": "body"}}
    assert isinstance(msgspec.convert({"command": {**timer, "effect": decoded}}, ActRequest), ActRequest)


class Choose(Struct, tag="test.choose"):
    how: Literal["in_time", "in-time", "late"]


def test_a_word_that_is_shown_of_two_choices_is_refused_with_both():
    with pytest.raises(Rejection) as refused:
        command_with_values({"type": "test.choose", "how": "In time"}, Choose)
    assert refused.value.code == "ambiguous_word"
    assert [choice["how"] for choice in refused.value.details["choices"]] == ["in_time", "in-time"]
    assert "in_time or in-time" in str(refused.value.message)
    for value in ("in_time", "in-time"):
        assert command_with_values({"how": value}, Choose) == {"how": value}
    assert command_with_values({"how": "LATE"}, Choose) == {"how": "late"}


@pytest.mark.parametrize(
    "sent",
    [
        None,
        [],
        {"command": "roll"},
        {"command": {"type": "no.such"}},
        {"command": {"type": "mobile_frame.name_situation", "situation": "under water", "more": {"a": [1]}}},
        {"command": {"type": "mobile_frame.name_situation", "situation": ["In the open"]}},
        {"command": {"type": "campaign.set_setting", "key": 7, "value": {"type": "order"}}},
        {"command": {"type": "campaign.add_note", "text": "In the open"}},
    ],
)
def test_what_no_choice_is_called_stays_as_it_was_sent(sent):
    assert with_values(sent) == sent
    assert not has_words(sent)


def test_two_words_for_one_key_of_a_map_are_not_made_one():
    """Negative control: one of the two values would be gone, and nothing said."""
    said = {"type": "freefall.create_character", "permanents": {"body": 3, "Body": 9, "MIND": 2, "Mind": 1}}
    assert with_values({"command": said})["command"]["permanents"] == {"body": 3, "Body": 9, "mind": 2, "Mind": 1}
