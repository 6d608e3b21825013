"""Every account that the rules move money from or to has words of its own."""

import re
from typing import get_args

import pytest

from domain.campaign.messages.downtime import ActivityKind
from domain.campaign.state import CampaignState
from domain.systems.angst.events import Purpose, StoryPointEarned
from domain.systems.frame_state.events import SpendingReason
from domain.systems.overdrive.events import GainReason
from projections.campaign.ledger_account_names import OF_WORLD, account_title, holders_of
from projections.languages import render
from tests.root import ROOT

PILOT = "pilot-5f0c2a91e3b4"
WORDS = {word for kind in (ActivityKind, Purpose, SpendingReason, GainReason) for word in get_args(kind)}
SPELT = re.compile(r'"world:([a-z_]+)"')


def named(thing: object) -> str:
    return {PILOT: "Mara", "crew:salt": "The Salters"}.get(str(thing), str(thing))


def test_what_the_rules_pay_for_has_a_name():
    source = "".join(path.read_text("utf-8") for path in (ROOT / "domain").rglob("*.py"))
    source_words = set(SPELT.findall(source))
    awarded = set(get_args(StoryPointEarned.__annotations__["source"]))
    assert (WORDS | source_words | awarded) - {*OF_WORLD} == set()


@pytest.mark.parametrize(
    ("account", "told"),
    [
        (f"pilot:{PILOT}", "Mara"),
        (f"available:{PILOT}", "Mara: to spend"),
        (f"spent:{PILOT}", "Mara: spent"),
        ("crew", "The crew"),
        ("crew:salt", "The Salters"),
        ("crew:pepper_tree", "Crew pepper tree"),
        ("team:tactical_points", "The team"),
        ("world:starting_currency", "Starting money"),
        ("world:old_bank", "Old bank"),
        ("world", "The world"),
        ("escrow:entry-5f0c2a91e3b4", "Set aside"),
        ("pilot:pilot-000000000000", "An account whose owner is gone"),
        ("reserve:duel-5f0c2a91e3b4.attacker", "The reserve in a duel"),
        ("strong_box", "Strong box"),
    ],
)
def test_an_account_is_called_as_people_call_it(account, told):
    assert render(account_title(account, named), "en") == told


def test_accounts_of_nobody_in_particular_are_the_groups():
    state = CampaignState()
    accounts = ("world:x", "escrow:entry-1", "crew", "bank")
    assert [holders_of(each, state) for each in accounts] == ["world", "aside", "group", "group"]
