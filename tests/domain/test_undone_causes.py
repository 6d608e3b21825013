"""What stays in the log after an undo is about nothing whose beginning is undone, in random play of every system.

What an action was about is found out from the states around it (`causes`), and not from the ids that its events
name: an attack, a turn or a choice that nobody names is one, too.
"""

import os
from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec import UNSET, Struct, structs

from domain.campaign.recorded_action import PastAction
from domain.campaign.state import CampaignState
from domain.ids import is_born
from tests.domain.causes import causes
from tests.domain.plays import PLAYS, searched, told

PLAYS_OF_EACH = int(os.environ.get("FIELDLOG_PLAYS", "10"))
UNDOS = 20

IN_PASSING = {
    ("CharacterSpared", "Cause"): "what a spared character has lost heals by no clock, whichever ran",
    ("CombatEnded", "Roll"): "the end of a fight closes all rolls",
    ("CombatStarted", "Scene"): "a fight ends whatever scene is open",
    ("CoreAdjusted", "Cause"): "what has not lost anything heals by no clock, whichever ran",
    ("FrameDestroyed", "LoadoutDie"): "a wreck has no dice left, whichever they were",
    ("FrameReplaced", "Replacement"): "a Handler replaces a frame also where nobody has asked",
    ("FrameReplacementAsked", "Replacement"): "a pilot's new request stands in place of an older one",
    ("HarmMadePermanent", "RecoveryTask"): "what is permanent is no longer asked about",
    ("ReactionPlayed", "PlayedReaction"): "a GM calls for another reaction than the one that was shown",
    ("RelationshipGradeChanged", "Relationship"): "a grade is set, whatever it was",
    ("RollMade", "Roll"): "a roll closes its character's last one",
    ("RoundEnded", "Frame"): "the end of a round clears all markers",
    ("TestProposed", "Proposal"): "a pilot's new proposal stands in place of an older one",
    ("TimeModeChanged", "Board"): "another time mode ends whatever turn there is",
}
"""What an event ends or changes whichever it is, and why: so it stays where that one has not begun."""


def lost_causes(start: CampaignState, actions: list[PastAction], chance: Random) -> Counter[tuple[str, str]]:
    """The events that stay although what they were about has not begun, after some undos."""
    about = causes(start, actions)
    asked = [each for each in actions if each.undoable and each.request is not None]
    found = Counter[tuple[str, str]]()
    for target in chance.sample(asked, min(UNDOS, len(asked))):
        search = searched(start, actions, target.action_id, set(), set())
        gone = {each.action.action_id for each in search.to_undo}
        found.update(
            (each.event, each.thing)
            for action in asked
            if action.action_id not in gone
            for each in about[action.action_id]
            if each.begun_in in gone
        )
    return found


def play(system: str, nth: int) -> tuple[CampaignState, list[PastAction], Random]:
    """A play as actions, and the chance that it goes on with, the same every time."""
    chance = Random(f"causes {system} {nth}")  # noqa: S311 — nothing secret
    return (*told(system, PLAYS[system](chance)), chance)


@pytest.mark.slow
@pytest.mark.parametrize("system", PLAYS)
def test_nothing_stays_whose_cause_is_undone(system):
    found = Counter[tuple[str, str]]()
    for nth in range(PLAYS_OF_EACH):
        found += lost_causes(*play(system, nth))
    assert {each: count for each, count in found.items() if each not in IN_PASSING} == {}


def unnamed(part: Any) -> Any:
    """An event as old logs have it: it names nothing that need not be named."""
    if not isinstance(part, Struct):
        return part
    values = {each.name: (getattr(part, each.name), each.default) for each in structs.fields(part)}
    left = {
        name: UNSET if default is UNSET and isinstance(value, str) and is_born(value) else unnamed(value)
        for name, (value, default) in values.items()
    }
    return structs.replace(part, **left)


@pytest.mark.slow
@pytest.mark.parametrize("system", ["mobile_frame", "overdrive"])
def test_what_old_events_do_not_name_is_found_to_stay(system):
    """Negative control."""
    found = Counter[tuple[str, str]]()
    for nth in range(PLAYS_OF_EACH):
        start, actions, chance = play(system, nth)
        old = [structs.replace(each, events=[unnamed(event) for event in each.events]) for each in actions]
        found += lost_causes(start, old, chance)
    assert found.keys() - IN_PASSING.keys()
