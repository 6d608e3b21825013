"""What msgspec refuses has faults, all of them listed, and what it takes has none, for whatever may be sent."""

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Annotated, Any, Literal, get_args
from uuid import UUID

import msgspec
import pytest
from msgspec import Meta, Struct
from msgspec import inspect as shapes

from domain.campaign.command_request import ActRequest, AnyPlayCommand
from domain.campaign.commands import CreateCampaign
from domain.campaign.settings import CampaignSettings
from domain.shape_faults import FORMS, SECRET, choices_of, faults_in
from domain.systems import SYSTEMS
from projections.languages import render
from tests.domain.made_values import some

COMMANDS = list(get_args(AnyPlayCommand))
OTHERS = [CreateCampaign, CampaignSettings, *(system.settings for system in SYSTEMS.values())]

ODD: list[Any] = [
    *(None, True, False, 0, 1, -1, 7, 10**6, 10**12, 10**25, -(10**12), 1.0, 1.5, 1e20),
    *("", " ", "a", "Ana", "x" * 81, "x" * 3000, "1", "gm", "\u00e9\U0001f600", "A B", "a\nb", "null"),
    *("2f1c7d526a5e4a399d510c8f4be0a1aa", "2F1C7D52-6A5E-4A39-9D51-0C8F4BE0A1AA", "{2f1c7d52-6a5e}"),
    *([], [1], [[6, 3]], [None] * 3, list(range(250)), {}, {"type": "x"}, {"a": 1}, {"": None}, {"type": 3}),
]


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield place
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*place, key))


def mutated(value: Any, chance: Random) -> Any:
    """The same with something else, something more or something less in one place."""
    value = json.loads(json.dumps(value))
    *path, last = chance.choice([*places(value)][1:] or [(None,)])
    if last is None:
        return chance.choice(ODD)
    within = value
    for key in path:
        within = within[key]
    match chance.randrange(5):
        case 0 if isinstance(within, dict):
            del within[last]
        case 1 if isinstance(within, dict):
            within[chance.choice(["surprise", "type", "", "a/b~c"])] = chance.choice(ODD)
        case 2 if isinstance(within, list):
            within.append(chance.choice(ODD))
        case 3 if isinstance(within[last], str) and chance.random() < 0.5:
            within[last] = within[last] + chance.choice([" ", "x", "x" * 90, "\n"])
        case _:
            within[last] = chance.choice(ODD)
    return value


decoder = cache(msgspec.json.Decoder)  # this and the next take milliseconds
type_of = cache(shapes.type_info)


def refuses(value: Any, kind: Any) -> bool:
    try:
        decoder(kind).decode(msgspec.json.encode(value))
    except msgspec.ValidationError:
        return True
    return False


def bodies(chance: Random, command: type) -> tuple[Any, type]:
    made = some(type_of(command), chance)
    if command in OTHERS:
        return made, command
    return {"command": made, "dice": [[6, 3]], "note": "a note", "visibility": "all"}, ActRequest


@pytest.mark.parametrize("command", [*COMMANDS, *OTHERS], ids=lambda each: each.__name__)
def test_what_is_refused_has_faults_and_what_is_taken_has_none(command: type):
    chance = Random(command.__name__)  # noqa: S311 — the same for the same command
    refused = 0
    for _ in range(20):
        good, kind = bodies(chance, command)
        assert not refuses(good, kind), good
        assert [*faults_in(good, kind)] == []
        bad = good
        for _ in range(chance.randrange(1, 4)):
            bad = mutated(bad, chance) if isinstance(bad, dict) else bad
            found = [*faults_in(bad, kind)]
            assert bool(found) == refuses(bad, kind), (bad, found)
            refused += bool(found)
            for fault in found:
                assert str(fault.problem)
                assert render(fault.problem, "fr")
    assert refused > 8


def test_every_pattern_in_use_has_words():
    schema = json.dumps(msgspec.json.schema_components([ActRequest, *OTHERS])[1])
    used = set(_patterns(json.loads(schema)))
    assert used
    assert used <= FORMS.keys()


def _patterns(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from (part["pattern"] for _ in [0] if isinstance(part.get("pattern"), str))
        for each in part.values():
            yield from _patterns(each)
    elif isinstance(part, list):
        for each in part:
            yield from _patterns(each)


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A part."""

    name: Annotated[str, Meta(max_length=3, pattern=r"\S")]


class Whole(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole."""

    kind: Literal["a", "b"] = "a"
    number: Annotated[int, Meta(ge=1, le=12)] | None = 1
    pair: tuple[int, int] = (1, 2)
    who: UUID | None = None
    parts: Annotated[list[Part], Meta(max_length=3)] = []
    of: dict[Literal["x"], int] = {}
    least: Annotated[int, Meta(ge=3)] = 3


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """Something with a secret."""

    name: Annotated[str, Meta(max_length=3)]
    password: Annotated[str, Meta(min_length=8, extra={SECRET: True})]


class Thrown(Struct, frozen=True):
    """Something with a die."""

    die: Literal["d4", "d6", "d10"]


WRONG: list[tuple[Any, str, str, str, str]] = [
    ({"number": 13}, "/number", "out_of_range", "send a whole number from 1 to 12 or null, not 13", "13"),
    ({"number": True}, "/number", "wrong_type", "send a whole number from 1 to 12 or null, not true", "true"),
    ({"kind": "c"}, "/kind", "not_a_choice", 'send \u201ca\u201d or \u201cb\u201d, not "c"', '"c"'),
    ({"pair": [1]}, "/pair", "wrong_length", "send a list of exactly 2 items, not [\u2026]", "[\u2026]"),
    ({"who": "me"}, "/who", "wrong_form", "", '"me"'),
    (
        {"parts": [{}]},
        "/parts/0/name",
        "missing",
        "missing; send text of at most 3 characters, not only blanks",
        "",
    ),
    ({"parts": [{"name": " "}]}, "/parts/0/name", "wrong_form", "", '" "'),
    ({"parts": {}}, "/parts", "wrong_type", "send a list of at most 3 items, not {}", "{}"),
    ({"of": {"y/~": 1}}, "/of/y~1~0", "not_a_choice", 'send \u201cx\u201d, not "y/~"', '"y/~"'),
    ({"numbr": 1}, "/numbr", "unknown_field", "not known; there is \u201cnumber\u201d", ""),
    ({"least": 2}, "/least", "out_of_range", "send a whole number of at least 3, not 2", "2"),
    (7, "", "wrong_type", "send an object, not 7", "7"),
]


@pytest.mark.parametrize(("wrong", "pointer", "code", "said", "sent"), WRONG)
def test_a_fault_says_where_it_is_what_came_and_what_may_come(wrong, pointer, code, said, sent):
    [fault] = faults_in(wrong, Whole)
    assert (fault.pointer, fault.code, fault.sent_json or "") == (pointer, code, sent)
    assert str(fault.problem) == said or not said


def test_all_faults_are_told_at_once():
    found = [fault.pointer for fault in faults_in({"number": 0, "parts": [{"name": 1}, 2], "least": "x"}, Whole)]
    assert found == ["/number", "/parts/0/name", "/parts/1", "/least"]


def test_of_many_choices_those_are_named_that_look_most_like_what_came():
    body = {"command": {"type": "campaign.start_sesion"}}
    [fault] = faults_in(body, ActRequest)
    assert fault.pointer == "/command/type"
    assert "\u201ccampaign.start_session\u201d" in str(fault.problem)
    assert str(len(COMMANDS)) in str(fault.problem)


@pytest.mark.parametrize("body", [{}, {"command": None}, {"command": 5}, {"command": []}])
def test_an_object_of_many_kinds_is_wanted_once_with_some_of_them(body):
    [fault] = faults_in(body, ActRequest)
    assert fault.pointer == "/command"
    assert f"an object whose “type” is one of {len(COMMANDS)}, such as “" in str(fault.problem)
    assert str(fault.problem).count("an object") == 1


@pytest.mark.parametrize(
    "body",
    [
        {"name": "Ana", "password": "hunter2"},
        {"name": "hunter2", "password": "Ana"},
        {"name": "Ana", "pasword": "hunter2"},
        {"name": "Ana", "password": ["hunter2"]},
    ],
)
def test_no_secret_is_repeated(body):
    found = [*faults_in(body, SignIn)]
    assert found
    assert not any("hunter2" in f"{fault} {fault.problem} {fault.pointer}" for fault in found)


def test_choices_are_listed_where_there_are_only_some():
    assert choices_of(Literal["a", "b"]) == ["a", "b"]
    assert choices_of(bool) == [False, True]
    assert choices_of(Literal["a"] | None) == ["a", None]
    assert choices_of(int) is None


def test_choices_are_listed_in_the_order_in_which_the_rules_name_them():
    [fault] = faults_in({"die": "d7"}, Thrown)
    assert str(fault.allowed) == "“d4”, “d6” or “d10”"
