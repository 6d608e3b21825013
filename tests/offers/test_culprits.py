"""Where a refusal says which fields of a command it is about, the others make no difference to it."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from domain.mechanics.refused_fields import About
from domain.offers.possible_commands import commands_of
from domain.rejection import Culprits
from tests.offers.made_up import MadeUp
from tests.offers.moments import moments

EVERY = 25
COMMANDS, OTHERS = 12, 6
"""So many commands of each type are made up at a moment, and so many others for each refusal."""


def contradicted(story: str) -> Iterator[str]:
    """Refusals that are about some fields alone, with commands that say the same in these and are accepted."""
    for moment in moments(story):
        if moment.nth % EVERY == EVERY - 1:
            members = sorted(moment.whole.members)
            account = members[moment.nth // EVERY % len(members)]
            for kind in commands_of(moment.whole):
                yield from _contradicted(MadeUp(kind, moment.trial(account), Random(moment.nth)))  # noqa: S311


def _contradicted(made_up: MadeUp) -> Iterator[str]:
    for _ in range(COMMANDS):
        said = made_up.said({})
        refusal = made_up.refusal(said)
        if refusal is None or refusal.about is None:
            continue
        for _ in range(OTHERS):
            other = made_up.said(made_up.kept(said, refusal.about))
            if made_up.refusal(other) is None:
                yield f"{refusal.code} is about {refusal.about} in {said}, but {other} is accepted"


@pytest.mark.slow
@pytest.mark.parametrize("story", ["angst", "frame_state", "freefall", "overdrive", "downtime"])
def test_whatever_the_other_fields_say_it_is_refused(story):
    assert [*islice(contradicted(story), 5)] == []


def test_a_refusal_that_is_about_more_than_it_says_is_found(monkeypatch):
    """Negative control: every check says that it is about no field."""
    monkeypatch.setattr(About, "__init__", lambda self, *_, **__: setattr(self, "_culprits", Culprits(())))
    assert [*islice(contradicted("overdrive"), 1)]
