"""Whatever people do in random play was offered to them, and whatever is offered to anybody is accepted."""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice
from random import Random

import pytest

from tests.domain.plays import PLAYS
from tests.offers.filling import given_in_truth
from tests.offers.moments import Moment, moments_at_random
from tests.offers.walking import walked

MOMENTS = int(os.environ.get("FIELDLOG_OFFERS_MOMENTS", "5000"))
"""So many moments of each system are played: the same on every machine."""

GIVEN, KINDS = 0.1, 4
"""In how many moments what is offered to somebody is given, and how many types of commands then."""

ASKED_MIN = 3


def played(system: str) -> Iterator[tuple[Moment, Random]]:
    """Moments of one random play after another."""
    for nth in count():
        chance = Random(f"offers of {system} {nth}")  # noqa: S311 — the same every time
        for moment in moments_at_random(system, nth):
            yield moment, chance


@pytest.mark.slow
@pytest.mark.parametrize("system", PLAYS)
def test_what_is_played_at_random_was_offered_and_what_is_offered_is_accepted(system):
    wrong: list[str] = []
    counted: Counter[str] = Counter()
    for moment, chance in islice(played(system), MOMENTS):
        if moment.asked is not None and moment.action.actor is not None:
            counted["asked"] += 1
            found = walked(moment.offers(moment.action.actor), moment.asked)
            wrong += [f"{moment.nth} {moment.asked} {each}" for each in found]
        if chance.random() < GIVEN:
            given = given_in_truth(moment, chance.choice(sorted(moment.whole.members)), chance, KINDS)
            counted["given"] += given.counted.total()
            counted.update(given.filled)
            wrong += given.wrong
    sys.stdout.write(f"{system}: {dict(counted)}\n")
    assert wrong == []
    assert counted["asked"] > ASKED_MIN
    assert counted["given"] > 0
