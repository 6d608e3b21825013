"""What a stored state's form depends on: the bytes that are written and read, never a name or a docstring."""

import ast
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from types import ModuleType
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
import pytest
from msgspec import Meta, Struct, field

from domain.campaign.state import CampaignState
from domain.campaign.storage.json_shape import shape_of
from domain.campaign.storage.snapshot import FOLD_VERSION, FORM, form_of
from domain.personal_text import ShortText
from domain.systems import SYSTEMS

STATES = [CampaignState, *(system.state for system in SYSTEMS.values())]


class Effect(Struct, frozen=True, tag="effect"):
    amount: int


class Reminder(Struct, frozen=True, tag="reminder"):
    words: Annotated[str, Meta(max_length=200)]


class Part(Struct, frozen=True, omit_defaults=True):
    name: str
    inside: "Part | None" = None
    grade: Literal["a", "b"] = "a"


class State(Struct):
    game_time: int = 0
    parts: dict[str, Part] = field(default_factory=dict)
    effect: Effect | Reminder | None = None
    whose: tuple[UUID, ...] = ()


def like_state(**changed: Any) -> type[Struct]:
    """`State` with other fields; None takes one out."""
    fields: dict[str, Any] = {
        "game_time": (int, 0),
        "parts": (dict[str, Part], field(default_factory=dict)),
        "effect": (Effect | Reminder | None, None),
        "whose": (tuple[UUID, ...], ()),
    } | changed
    return msgspec.defstruct("Other", [(name, *each) for name, each in fields.items() if each is not None])


class Element(Struct, frozen=True, omit_defaults=True):
    """A part under another name, with a docstring."""

    name: str
    inside: "Element | None" = None
    grade: Literal["b", "a"] = "a"


class Change(Struct, frozen=True, tag="effect"):
    """Another name for an effect, with the tag that it always had."""

    amount: int


def test_names_docstrings_and_the_order_of_alternatives_are_no_part_of_the_shape():
    renamed = like_state(
        parts=(dict[str, Element], field(default_factory=dict)), effect=(None | Reminder | Change, None)
    )
    assert shape_of(renamed) == shape_of(State)
    described = Annotated[int, Meta(title="Time", description="So many seconds.", extra_json_schema={"x": 1})]
    assert shape_of(like_state(game_time=(described, 0))) == shape_of(State)


class Deeper(Struct, frozen=True, omit_defaults=True):
    name: str
    inside: "Deeper | None" = None
    grade: Literal["a", "b", "c"] = "a"


class AlwaysWhole(Struct, frozen=True):
    name: str
    inside: "AlwaysWhole | None" = None
    grade: Literal["a", "b"] = "a"


class OtherTag(Struct, frozen=True, tag="change"):
    amount: int


def parts_of(kind: Any) -> tuple[Any, Any]:
    return (dict[str, kind], field(default_factory=dict))


CHANGES: dict[str, dict[str, Any]] = {
    "a field less": {"game_time": None},
    "a field more": {"more": (int, 0)},
    "another type": {"game_time": (float, 0)},
    "another default": {"game_time": (int, 1)},
    "null": {"game_time": (int | None, 0)},
    "a bound": {"game_time": (Annotated[int, Meta(ge=0)], 0)},
    "another wire name": {"game_time": (int, field(default=0, name="time"))},
    "a list": {"parts": (list[Part], field(default_factory=list))},
    "another default of its own": {"parts": (dict[str, Part], field(default_factory=lambda: {"x": Part("x")}))},
    "a literal more, two structs deep": {"parts": parts_of(Deeper)},
    "defaults that are written": {"parts": parts_of(AlwaysWhole)},
    "an alternative less": {"effect": (Effect | None, None)},
    "another tag": {"effect": (OtherTag | Reminder | None, None)},
    "other items": {"whose": (tuple[str, ...], ())},
    "so many items": {"whose": (tuple[UUID, UUID], ())},
}


@pytest.mark.parametrize("changed", CHANGES.values(), ids=CHANGES)
def test_whatever_changes_the_bytes_changes_the_shape(changed):
    assert shape_of(like_state()) == shape_of(State)
    assert shape_of(like_state(**changed)) != shape_of(State)


def test_the_order_of_fields_is_part_of_the_shape_since_equal_states_are_written_alike():
    one, other = [("a", int), ("b", int)], [("b", int), ("a", int)]
    assert shape_of(msgspec.defstruct("S", one)) != shape_of(msgspec.defstruct("S", other))


def test_a_field_that_must_be_there_is_another_one_than_one_with_a_default():
    assert shape_of(msgspec.defstruct("S", [("a", int)])) != shape_of(msgspec.defstruct("S", [("a", int, 0)]))


def test_what_marks_a_text_as_personal_is_no_part_of_its_bytes():
    assert shape_of(ShortText) == shape_of(Annotated[str, Meta(max_length=200)])


def test_a_kind_of_type_that_nobody_has_thought_of_is_an_error_and_no_silence():
    @dataclass
    class Plain:
        a: int

    for kind in (Plain, Enum("Colour", "red green"), list[Plain]):
        with pytest.raises(TypeError, match="decides about bytes"):
            shape_of(kind)


@pytest.fixture
def another_module() -> Iterator[ModuleType]:
    made = ModuleType("a_state_under_other_names")
    sys.modules[made.__name__] = made
    yield made
    del sys.modules[made.__name__]


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__module__)
def test_every_real_state_keeps_its_shape_under_other_names_and_with_other_docstrings(state, another_module):
    """Its module is made once more with each of its classes renamed and each docstring rewritten."""
    source = inspect.getsource(importlib.import_module(state.__module__))
    names = [each.name for each in ast.parse(source).body if isinstance(each, ast.ClassDef)]
    assert state.__name__ in names
    renamed = re.sub(rf"\b({'|'.join(names)})\b", r"Renamed\1", source)
    edited, docstrings = re.subn(r'^(    """)(?=\S)', r"\1Edited. ", renamed, flags=re.MULTILINE)
    assert docstrings >= len(names)
    exec(compile(edited, "a state", "exec"), another_module.__dict__)  # noqa: S102 — our own source
    other = getattr(another_module, f"Renamed{state.__name__}")
    assert other.__doc__.startswith("Edited. ")
    assert shape_of(other) == shape_of(state)


def test_the_form_is_made_of_the_shapes_of_all_states_and_the_version_of_the_folds():
    states = {system.id: system.state for system in SYSTEMS.values()}
    assert form_of(FOLD_VERSION, CampaignState, states) == FORM
    assert form_of(FOLD_VERSION + 1, CampaignState, states) != FORM
    assert form_of(FOLD_VERSION, State, states) != FORM
    for system in states:
        assert form_of(FOLD_VERSION, CampaignState, {**states, system: State}) != FORM
    assert form_of(FOLD_VERSION, CampaignState, dict(reversed(states.items()))) == FORM
