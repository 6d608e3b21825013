"""The rulebook's guides stand where one chooses, in every language (FF-1, FF-3, FF-10, FF-17, section 5)."""

from typing import Any

import pytest

from domain.field_help import field_help
from domain.systems.freefall import commands as c
from domain.systems.freefall.state import Attack, Binding, Weapon
from projections.languages import render

SAID: list[tuple[Any, str, tuple[str, ...], tuple[str, ...]]] = [
    (c.RollAction, "tn", ("11", "16", "21"), ("exigeant", "presque impossible")),
    (c.NameTn, "tn", ("11", "16", "21"), ("exigeant", "presque impossible")),
    (c.ActionDraft, "tn", ("11", "16", "21"), ("exigeant", "presque impossible")),
    (Attack, "dv", ("minor", "devastating"), ("léger", "dévastateur")),
    (Weapon, "dv", ("minor", "devastating"), ("léger", "dévastateur")),
    (c.ReceiveHarm, "levels", ("minor", "devastating"), ("léger", "dévastateur")),
    (c.AllocateMachineHarm, "levels", ("minor", "devastating"), ("léger", "dévastateur")),
    (Binding, "body", ("weight",), ("poids",)),
    (Binding, "mind", ("attention",), ("attention",)),
    (Binding, "ghost", ("composure",), ("sang-froid",)),
    (c.ActionDraft, "attribute", ("Body", "Mind", "Ghost"), ("Corps", "Esprit", "Ghost")),
    (c.SetPermanent, "attribute", ("Body", "Mind", "Ghost"), ("Corps", "Esprit", "Ghost")),
    (c.SetTimeMode, "mode", ("Narrative", "Montage", "Action", "Bullet"), ("Narratif", "poursuite", "fusillade")),
]


@pytest.mark.parametrize(("kind", "field", "english", "french"), SAID)
def test_what_is_chosen_is_explained_beside_it(kind, field, english, french):
    told = field_help(kind, field)
    assert all(word in told for word in english)
    assert all(word in render(told, "fr") for word in french)
