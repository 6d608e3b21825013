"""The service's dice in random play of every system, open and hidden, with undos and with words of the members.

Whoever does again what was undone sees the same faces with the same proofs, and whoever verifies the log finds
every die to be the one that its seed decides (invariants 19 and 20).
"""

import pytest

from domain.campaign.dice import dice_after_undo
from tests.domain.plays import PLAYS
from tests.sampling import slow_but
from tests.services import play_at_random
from tests.services.rolls_at_random import SEEDS, Rolling

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def mostly_server_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_at_random, "AT_THE_TABLE", 0.2)


@pytest.mark.parametrize("seed", slow_but(SEEDS, SEEDS[0]))
@pytest.mark.parametrize("system", slow_but(PLAYS, "frame_state", "freefall"))
async def test_who_does_again_what_was_undone_sees_the_same_faces_with_the_same_proofs(system: str, seed: int):
    counts = await Rolling(system, seed).play()
    assert counts["the same"] >= 2, counts
    assert counts["words"] >= 1, counts
    assert counts["recomputed"] >= 20, counts


async def test_new_dice_after_an_undo_would_be_found_out(monkeypatch: pytest.MonkeyPatch):
    """Negative control."""
    monkeypatch.setattr(dice_after_undo, "with_dice_back", lambda _, __, ___, fresh: fresh)
    with pytest.raises(AssertionError):
        await Rolling("frame_state", SEEDS[0]).play()
