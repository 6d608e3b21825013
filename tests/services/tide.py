"""A hidden clock of Freefall that open rolls fill."""

from typing import Any

from tests.services.conftest import Table
from tests.services.secret_table import SecretTable

RUNNER = {"class": "Runner", "permanents": {"body": 8, "mind": 8, "ghost": 8}}
ROLL = {"type": "freefall.roll_action", "dice": 2, "tn": 11}
ROLLED = [[20, 14], [20, 3]]


class Tide(SecretTable):
    """Wren, whom the player plays, in action time, and a doom clock that the GM alone knows of."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, "freefall", "turn")
        self.do(self.player, "create_character", name="Wren", **RUNNER)
        self.clock = self.hide("open_clock", name="The tide", size=4)["events"][0]["clock"]
        self.do(self.gm, "set_time_mode", mode="action")

    def roll(self, key: str | None = None) -> Any:
        """The player rolls a success in the open."""
        headers = {} if key is None else {"Idempotency-Key": key}
        point = {"kind": "spend", "attribute": "body"}
        body = {"command": {**ROLL, "prerequisite": point}, "dice": ROLLED}
        answer = self.player.post(f"{self.path}/actions", body, headers=headers)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def filled(self) -> int:
        """How far the clock is, as the GM reads it."""
        clocks = self.on_board(self.gm)["clocks"]
        return int(next(each["filled"] for each in clocks if each["clock_id"] == self.clock))

    def actions(self) -> list[Any]:
        found: list[Any] = self.gm.get(f"{self.path}/actions", params={"limit": 200}).json()["actions"]
        return found
