"""What msgspec refuses is said in any language, in the same words as msgspec's own where that is English."""

from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
import pytest
from msgspec import Meta, Struct

from domain.decode_errors import misshapen, misshapen_where
from projections.languages import render


class Part(Struct, forbid_unknown_fields=True, frozen=True):
    """A thing in a thing."""

    name: Annotated[str, Meta(max_length=3, pattern="^[a-z]+$")]


class Whole(Struct, forbid_unknown_fields=True, frozen=True):
    """A thing."""

    kind: Literal["a", "b"] = "a"
    number: Annotated[int, Meta(ge=1)] = 1
    some: Annotated[list[int], Meta(max_length=2)] = []
    pair: tuple[int, int] = (1, 2)
    who: UUID | None = None
    parts: list[Part] = []


WRONG: list[tuple[Any, str, str]] = [
    ({"number": "x"}, "number", "`int` est attendu, et non `str`"),
    ({"number": 0}, "number", "`int` >= 1 est attendu"),
    ({"some": [1, 2, 3]}, "some", "`array` de longueur <= 2 est attendu"),
    ({"pair": [1]}, "pair", "`array` de longueur 2 est attendu, et non 1"),
    ({"kind": "c"}, "kind", "la valeur 'c' n\u2019est pas permise"),
    ({"who": "x"}, "who", "ce n\u2019est pas un UUID"),
    ({"parts": [{}]}, "parts[0]", "il manque \u00e0 l\u2019objet le champ `name`"),
    ({"parts": [{"name": "a", "x": 1}]}, "parts[0]", "l\u2019objet contient un champ inconnu, `x`"),
    (
        {"parts": [{"name": "7"}]},
        "parts[0].name",
        "`str` conforme \u00e0 l\u2019expression '^[a-z]+$' est attendu",
    ),
    (7, "", "`object` est attendu, et non `int`"),
]


@pytest.mark.parametrize(("wrong", "where", "french"), WRONG)
def test_it_is_said_what_is_wrong_and_where(wrong: Any, where: str, french: str):
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.convert(wrong, Whole)
    reason, path = misshapen(refused.value)
    assert (path, render(reason, "fr")) == (where, french)
    assert str(refused.value).startswith(str(reason))
    assert render(misshapen_where(refused.value), "fr") == (f"{french}, \u00e0 {where}" if where else french)


def test_what_has_no_known_form_is_said_as_it_is():
    assert render(misshapen(msgspec.ValidationError("Odd {thing} - at `$.x`"))[0], "fr") == "Odd {thing}"
