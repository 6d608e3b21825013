"""Whatever is undone, redone or revealed of its hidden past, what entered play is known as it is.

Every system's own random play is told again, most of it hidden; things enter, and then the past is another one.
After each append the table knows of what entered what it would know if the entering had told of the past as it is
by then: of what was hidden since, nothing.
"""

import os
from collections import Counter
from typing import Any

import pytest

from domain.campaign.history.entrance_correction import Retelling
from domain.campaign.state import CampaignState
from tests.domain.plays import PLAYS
from tests.domain.rewritten_pasts import Pasts
from tests.sampling import slow_but

PLAYS_OF_EACH = int(os.environ.get("FIELDLOG_PLAYS", "6"))
"""So many plays of every system; `.ci/release` has more."""


MIN = {"entered": 5, "paid": 10, "undo": 6, "redo": 2, "reveal": 6, "told anew": 1}
"""Of all plays of a system: what entered, how the past was rewritten, and what was told anew for it."""


@pytest.mark.parametrize("system", slow_but(PLAYS, "frame_state"))
def test_what_entered_is_known_as_it_is_whatever_becomes_of_its_past(system):
    counts: Counter[str] = Counter()
    for nth in range(PLAYS_OF_EACH):
        pasts = Pasts(system, nth).run()
        assert pasts.wrong == [], nth
        counts += pasts.counts
    assert {name: counts[name] for name, least in MIN.items() if counts[name] < least} == {}


def test_what_is_not_told_anew_is_found_out(monkeypatch):
    """Negative control: after an undo, nobody is told of what has changed."""
    monkeypatch.setattr(Retelling, "enterings", lambda *_: [])
    assert any(Pasts(system, nth).run().wrong for system in PLAYS for nth in range(2))


def test_a_copy_that_stays_at_the_table_is_found_out(monkeypatch):
    """Negative control: as it was once, whoever knew something took nothing from an entering."""

    def keep_what_is_known(state: CampaignState, system: Any, inner: Any, event: Any) -> None:
        state.systems[system.id] = system.evolve(inner, event)

    monkeypatch.setattr("domain.campaign.evolve._enter", keep_what_is_known)
    assert any(Pasts(system, nth).run().wrong for nth in range(PLAYS_OF_EACH) for system in PLAYS)
