"""Whatever is hidden, readers read and provoke the same as without it, in every rule system (invariant 23)."""

import os
import re
from contextlib import ExitStack

import pytest

from domain.campaign.knowledge.audience_states import Knowledge
from domain.campaign.secrecy import audience as visibility
from domain.campaign.transfer.export_format import HiddenLine
from services.transfer import export_campaign
from tests.root import ROOT
from tests.sampling import slow_but
from tests.services.ids_that_count import ids_that_count_undos
from tests.services.twins import Twins

SYSTEMS = ("angst", "frame_state", "freefall", "mobile_frame", "overdrive")
PLAYS = int(os.environ.get("FIELDLOG_PLAYS", "3"))
"""So many plays of each system besides the first; `.ci/release` has more."""

SECRETS = ROOT / "docs" / "play" / "secrets.md"
LISTED = re.compile(r"^\| (?P<why>[a-z_ ]+) \| (?P<commands>.*) \|$", re.MULTILINE)


def twins(system: str, seed: int) -> Twins:
    with ExitStack() as stack:
        found = Twins(system, seed, stack)
        found.play()
    return found


def told_to_people() -> dict[str, set[str]]:
    """Which commands the handbook lists for each way in which a secret shows."""
    _, _, listed = SECRETS.read_text("utf-8").partition("## Where a secret shows")
    return {row["why"]: set(re.findall(r"`([a-z_.]+)`", row["commands"])) for row in LISTED.finditer(listed)}


def require_alike(system: str, seed: int) -> Twins:
    found = twins(system, seed)
    assert found.deviations == []
    unlisted = [(why, command) for why, command in found.counted if command not in told_to_people().get(why, ())]
    assert unlisted == [], "a secret shows where the handbook does not say so"
    return found


@pytest.mark.parametrize("system", slow_but(SYSTEMS, "frame_state"))
def test_readers_read_and_provoke_the_same_as_without_what_is_hidden(system):
    found = require_alike(system, 0)
    assert found.acts > 30
    assert found.hides > 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 1 + PLAYS))
@pytest.mark.parametrize("system", SYSTEMS)
def test_readers_read_and_provoke_the_same_however_it_is_played(system, seed):
    require_alike(system, seed)


@pytest.mark.slow
def test_ids_that_count_hidden_undos_are_found_out(monkeypatch):
    """Negative control."""
    ids_that_count_undos(monkeypatch)
    found = twins("frame_state", 2)
    assert found.undoes > 0
    assert any("/ids" in each for each in found.deviations)


@pytest.mark.slow
def test_an_export_that_tells_hidden_actions_apart_is_found_out(monkeypatch):
    """Negative control."""

    def hidden_line(row):
        return HiddenLine(row.seq, row.recorded_at, row.hash.hex(), row.visibility)

    monkeypatch.setattr(export_campaign, "hidden_line", hidden_line)
    assert any("what is hidden" in each for each in twins("frame_state", 2).deviations)


@pytest.mark.slow
def test_deciding_for_everybody_on_everything_is_found_out(monkeypatch):
    """Negative control."""
    monkeypatch.setattr(Knowledge, "of", lambda _, __, whole: whole)
    assert any(twins(system, 1).deviations for system in SYSTEMS)


@pytest.mark.slow
def test_one_redaction_taken_out_is_found_out(monkeypatch):
    """Negative control: what a player does blind is read by everybody."""
    seen = visibility.may_see
    monkeypatch.setattr(visibility, "may_see", lambda who, audience: who == "blind" or seen(who, audience))
    assert any(twins(system, 0).deviations for system in SYSTEMS)
