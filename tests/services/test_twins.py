"""Whatever is hidden, readers read and provoke the same as without it, in every rule system (invariant 23)."""

import os
from contextlib import ExitStack

import pytest

from domain.campaign import visibility
from domain.campaign.knowledge import Knowledge
from tests.services.twins import Twins

SYSTEMS = ("angst", "frame_state", "freefall", "mobile_frame", "overdrive")
PLAYS = int(os.environ.get("FIELDLOG_TWINS", "3"))


def twins(system: str, seed: int) -> Twins:
    with ExitStack() as stack:
        found = Twins(system, seed, stack)
        found.play()
    return found


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("seed", range(PLAYS))
def test_readers_read_and_provoke_the_same_as_without_what_is_hidden(system, seed):
    found = twins(system, seed)
    assert found.deviations == []


def test_deciding_for_everybody_on_everything_is_found_out(monkeypatch):
    """Negative control."""
    monkeypatch.setattr(Knowledge, "of", lambda _, __, whole: whole)
    assert any(twins(system, 1).deviations for system in SYSTEMS)


def test_one_redaction_taken_out_is_found_out(monkeypatch):
    """Negative control: what a player does blind is read by everybody."""
    seen = visibility.may_see
    monkeypatch.setattr(visibility, "may_see", lambda who, audience: who == "blind" or seen(who, audience))
    assert any(twins(system, 0).deviations for system in SYSTEMS)
