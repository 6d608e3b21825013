"""A value that cannot stand in a field is refused with the title of the field, never with its wire name."""

from typing import Any

import pytest

from domain.offers.possible_commands import Offer
from domain.offers.trial_outcomes import Outcomes
from domain.systems.angst.commands import MakeTest
from projections import command_forms
from projections.command_forms import CommandWords

SAID: dict[str, Any] = {"type": "angst.make_test", "direct_support": "much"}


def told(language: str) -> str:
    """Why such a command is refused."""
    nobody: Any = None
    refusal = Outcomes(MakeTest, nobody).of(SAID).refusal
    offer = Offer(MakeTest, SAID, "no", None, refusal)
    refused = CommandWords(str, language).offer(offer, "").refused
    assert refused is not None
    return refused.detail


@pytest.mark.parametrize(
    ("language", "detail"),
    [
        ("en", "That cannot stand in “Direct support”."),
        ("fr", "Cette valeur n\u2019a pas sa place dans «\u00a0Aide directe\u00a0»."),
    ],
)
def test_a_value_that_cannot_stand_in_a_field_is_refused_with_the_title_of_the_field(language, detail):
    assert told(language) == detail


def test_a_field_by_its_wire_name_is_found(monkeypatch):
    """Negative control: titles are left out."""
    monkeypatch.setattr(command_forms, "_with_title", lambda refusal, _: refusal.message)
    assert told("fr") != "Cette valeur n\u2019a pas sa place dans «\u00a0Aide directe\u00a0»."
