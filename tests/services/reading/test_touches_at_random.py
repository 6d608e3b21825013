"""In random play with secrets, too, what an action does not touch reads as before."""

from contextlib import ExitStack
from typing import Any
from uuid import UUID

import pytest

from domain.ids import AccountId
from services.reading.changed_reads import EVERYTHING
from tests.sampling import slow_but
from tests.services.conftest import Person
from tests.services.twins import Side, Twins
from tests.stories.live_reader import Get, LiveReader, untold

SYSTEMS = ("angst", "frame_state", "freefall", "mobile_frame", "overdrive")
EVERY = 3
READS_MIN = 15


def by(person: Person, side: Side) -> Get:
    """How a person reads; None: there is nothing."""

    def get(path: str = "", **params: Any) -> Any:
        answer = person.get(f"{side.table.path}{path}", params=params)
        return answer.json() if answer.status_code == 200 else None

    return get


class Followed(Twins):
    """A play of one campaign alone, in which after some commands one of those who follow it reads everything."""

    def __init__(self, system: str, seed: int, stack: ExitStack) -> None:
        super().__init__(system, seed, stack)
        self.parted = [self.for_table, self.for_reader]
        side = self.whole
        self.readers = [
            LiveReader(
                by(person, side),
                AccountId(UUID(person.account_id)),
                side.campaign_id,
                side.application,
                side.client.blocking_portal.call,
            )
            for person in (side.gm, side.players[0], side.players[1], side.observer)
        ]
        self.done = self.reads = self.told_everything = 0
        self.red: set[str] = set()

    def _sides(self) -> list[Side]:
        return [self.whole]

    def compare(self) -> None:
        """There is nothing to compare with."""

    def _do(self, *done: Any, **more: Any) -> None:
        super()._do(*done, **more)
        self.done += 1
        for reader in self.readers:
            reader.listen()
        if self.done % EVERY == 0:
            self._check(self.readers[self.done // EVERY % len(self.readers)])

    def _check(self, reader: LiveReader) -> None:
        differs, touched = reader.since()
        assert untold(differs, touched) == set(), reader.actions[-3:]
        self.reads += 1
        self.told_everything += EVERYTHING in touched
        if EVERYTHING not in touched:
            self.red |= {word.partition(":")[0] for word in differs if untold(differs, touched - {word})}


def follow(system: str, seed: int) -> Followed:
    with ExitStack() as stack:
        found = Followed(system, seed, stack)
        found.play()
    return found


@pytest.mark.parametrize("system", slow_but(SYSTEMS, "frame_state"))
def test_what_is_not_touched_reads_as_before_in_random_play(system):
    found = follow(system, 0)
    assert found.hides > 3
    assert found.reads > READS_MIN
    assert found.told_everything < found.reads / 2
    assert found.red >= {"statistics", "campaign", "ledger"}


@pytest.mark.parametrize("seed", slow_but(range(1, 4), in_release=[2, 3]))
@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_not_touched_reads_as_before_however_it_is_played(system, seed):
    assert follow(system, seed).reads > READS_MIN
