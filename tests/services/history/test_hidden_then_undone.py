"""Undo in a campaign with secrets reads as in one without them, for whoever does not know of any.

As long as the same open actions go: what rests on something hidden goes with it, which is a fact for all.
"""

from typing import Any

import pytest

from tests.services.hidden_play import Play
from tests.services.two_tellings import PLACEHOLDER_SENTENCE, Telling

MOVES = 60
UNDOS = 20
ALIKE_MIN = 5
"""Undos in one play that could be compared, or it would prove little."""


class PlayUndone(Play):
    """The GM undoes one open action after the other, in the whole campaign and in what the table knows of it."""

    def undo_one(self) -> str | None:
        """What the table reads of one undo, if it is alike in both; what differs is a deviation."""
        whole, table = self.whole, self.for_table
        open_ = [each for each in self._read(whole) if each["type"] is not None]
        standing = [
            each["action_id"] for each in open_ if each["undone_in"] is None and each["action_id"] in table.ids
        ]
        target = self.chance.choice(standing)
        shown, expected = self._preview(whole, target), self._preview(table, table.ids[target])
        known = {each["action_id"] for each in open_}
        if {table.ids.get(each) for each in shown.keys() & known} != expected.keys():
            return None
        done = self._undo(whole, target, shown)
        if done is None:  # what it would bring back rests on something hidden that is another by now
            return None
        same = self._undo(table, table.ids[target], expected)
        assert same is not None
        table.learn(done, same)
        told = next(each for each in self._read(whole) if each["action_id"] == done["action_id"])["summary"]
        without = next(each for each in self._read(table) if each["action_id"] == same["action_id"])["summary"]
        if [said for said in told if said != PLACEHOLDER_SENTENCE] != without:
            self.deviations.append(f"undo of {target}: {told}, but without secrets {without}")
        return str(told)

    def _read(self, telling: Telling) -> list[dict[str, Any]]:
        answer = self.olaf.get(f"{telling.table.path}/actions", params={"limit": 500})
        found: list[dict[str, Any]] = answer.json()["actions"]
        return found

    def _preview(self, telling: Telling, action: str) -> dict[str, str]:
        """The actions that would go, with why; none where the undo is refused."""
        path = f"{telling.table.path}/actions/{action}/undo"
        answer = self.gm.post(path, {"cascade": True, "dry_run": True}).json()
        return {each["action_id"]: each["because"] for each in answer.get("undone", [])}

    def _undo(self, telling: Telling, action: str, going: dict[str, str]) -> dict[str, Any] | None:
        body = {"cascade": True, "confirm": [*going.values()].count("depends")}
        answer = self.gm.post(f"{telling.table.path}/actions/{action}/undo", body)
        done: dict[str, Any] = answer.json()
        return done if answer.status_code == 201 else None


@pytest.mark.parametrize(
    "seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)]
)
def test_the_table_reads_undos_as_in_a_campaign_without_what_is_hidden_from_it(client, seed):
    play = PlayUndone(client, seed)
    play.play(MOVES)
    told = [said for _ in range(UNDOS) if (said := play.undo_one()) is not None]
    play.parted.append(play.for_mara)  # nothing was undone in it
    assert play.compare() == []
    assert len(told) >= ALIKE_MIN
