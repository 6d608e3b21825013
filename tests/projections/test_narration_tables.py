"""Every kind of event is told, in one way, by something that understands it."""

from typing import get_args

import pytest

from domain.campaign.events import CampaignEvent, Hidden, NoteAdded
from domain.systems import SYSTEMS
from domain.systems.freefall.events import ClockClosed, GearAdded
from projections.campaign_words import narration
from projections.narration import TELL
from projections.narration_tables import Name, Tellers, about, on, tellers
from projections.systems import SYSTEM_VIEWS

TABLES = {"campaign": (get_args(CampaignEvent), narration.TELL)} | {
    id_: (get_args(system.events), SYSTEM_VIEWS[id_].tellers) for id_, system in SYSTEMS.items()
}


def differing(kinds: tuple[type, ...], table: Tellers) -> set[type]:
    """What is not told, and what is told although it never happens."""
    return set(kinds) ^ set(table)


@pytest.mark.parametrize("of", TABLES)
def test_every_kind_of_event_is_told_and_nothing_else(of):
    assert differing(*TABLES[of]) == set()


def test_what_is_told_is_told_whoever_it_belongs_to():
    assert differing(tuple(kind for kinds, _ in TABLES.values() for kind in kinds), TELL) == set()


def test_what_is_missing_and_what_is_left_over_are_found():
    assert differing((NoteAdded, Hidden), tellers(on(Hidden, lambda _, __: ""))) == {NoteAdded}
    assert differing((NoteAdded,), narration.TELL) == {*narration.TELL} - {NoteAdded}


def test_no_kind_of_event_is_told_in_two_ways():
    with pytest.raises(AssertionError):
        tellers(on(Hidden, lambda _, __: ""), on(Hidden, lambda _, __: "Something"))


def test_the_type_checker_knows_which_kind_is_told():
    """Each of these is a mistake; mypy complains of an `ignore` that it does not need."""

    def gear(event: GearAdded, name: Name) -> str:
        return name(event.character)

    on(GearAdded, gear)
    on(ClockClosed, gear)  # type: ignore[arg-type]
    on(ClockClosed, lambda event, name: name(event.character))  # type: ignore[attr-defined]
    about(ClockClosed, lambda _, who: who)  # type: ignore[type-var]
