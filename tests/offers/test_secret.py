"""What a player is offered does not depend on what is hidden from them: it is as in the campaign without it."""

import json
import sys
from contextlib import ExitStack
from typing import Any

import pytest

from domain.campaign.secrecy.audience import GM
from services.reading import possible_commands
from services.reading.possible_commands import PossibleCommands
from tests.services.conftest import Person
from tests.services.play_at_random import Played
from tests.services.twins import Side, Twins, unparted
from tests.services.two_tellings import Canonical

SYSTEMS = ("angst", "frame_state", "freefall", "mobile_frame", "overdrive")
ASKED_MAX = 3
"""So often it is asked for in a play, in moments that are spread over it."""


class AskedTwins(Twins):
    """Twins whose readers ask what they may do while they play. `asked` counts how often."""

    def __init__(self, system: str, seed: int, stack: ExitStack) -> None:
        super().__init__(system, seed, stack)
        self.asked = 0
        self._every = max(1, len(self.moves) // ASKED_MAX)
        self._moved = 0

    def _move(self, move: Played, *, may_hide: bool) -> None:
        super()._move(move, may_hide=may_hide)
        self._moved += 1
        if self._moved % self._every == 0:
            self._compare_offers()

    def compare(self) -> None:
        """Only what is offered is compared here; `test_twins` compares everything that can be read."""
        self._compare_offers()

    def _compare_offers(self) -> None:
        for twin, reads in ((self.for_table, "observer"), (self.for_reader, "player")):
            if twin in self.parted:
                continue
            asked = [
                (side, side.observer if reads == "observer" else side.players[0]) for side in (self.whole, twin)
            ]
            whole, without = ([*self._offered(side, who)] for side, who in asked)
            self.asked += 1
            self.deviations += [
                f"{reads}: {one[:600]}, but without secrets {other[:600]}"
                for one, other in zip(whole, without, strict=True)
                if one != other
            ]

    def _offered(self, side: Side, who: Person) -> list[str]:
        """What a reader may do, and what they are asked next by some of it."""
        canonical = Canonical()
        found: dict[str, Any] = who.get(f"{side.table.path}/commands", params={"all": "true"}).json()
        pages = [found["waiting"], *found["commands"]]
        for offer in [each for each in found["commands"] if each["possible"] == "depends"][::9]:
            answer = who.post(f"{side.table.path}/commands", {"command": _half(offer)})
            pages.append(answer.json())
        return [canonical.text(json.loads(json.dumps(each))) for each in pages]


def _half(offer: dict[str, Any]) -> dict[str, Any]:
    """Its example without the field that was filled in last."""
    return dict([*offer["example"].items()][:-1]) | {"type": offer["command"]}


def played(system: str, seed: int) -> AskedTwins:
    with ExitStack() as stack:
        twins = AskedTwins(system, seed, stack)
        twins.play()
    return twins


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_offered_to_readers_is_as_without_what_is_hidden_from_them(system):
    with unparted(AskedTwins, system) as twins:
        sys.stdout.write(f"{system}: asked {twins.asked} times, {twins.hides} things hidden\n")
        assert twins.asked > ASKED_MAX


@pytest.mark.slow
@pytest.mark.release
@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_offered_is_as_without_what_is_hidden_however_it_is_played(system, seed):
    assert played(system, seed).deviations == []


@pytest.mark.slow
def test_hidden_things_that_are_listed_are_found(monkeypatch):
    """Negative control: what is offered to anybody is worked out on what GMs know."""

    async def known(self, seen):
        state = await self._states.at(seen.campaign_id, GM, seen.seq)
        return possible_commands._Knowledge(seen, state, state, await self._log.now())

    monkeypatch.setattr(PossibleCommands, "_knowledge", known)
    assert any(played(system, 0).deviations for system in SYSTEMS)
