"""A scene of Angst with somebody whom only its GM knows."""

from typing import Any

import pytest

from tests.services.conftest import Person, Table, whole

CORES = {"physical": "d8", "mental": "d8", "social": "d6", "resolve": "d8"}

PAGES = (
    "",
    "/actions",
    "/events",
    "/sheets",
    "/recap",
    "/statistics",
    "/ledger/entries",
    "/ledger/accounts",
    "/export",
)

BOARDS = ("/boards/angst/scene", "/boards/angst/relationships", "/timers")
WHOLE: dict[str, Any] = {"limit": 500}


class Night(Table):
    """Mara is everybody's to see; Vane is the GM's alone."""

    def __init__(self, table: Table) -> None:
        founding = {"name": "Harrow", "systems": ["angst"], "settings": {"angst.gmc_spendables": True}}
        founded = table.gm.post("/campaigns", founding).json()
        super().__init__(table.gm, table.player, founded["campaign_id"])
        code = self.gm.post(f"{self.path}/invites", {"role": "player"}).json()["code"]
        assert self.player.post(f"/invites/{code}/accept").status_code == 201
        self.act(self.gm, "angst.define_angst_types", types=["pride"])
        made = self.act(self.player, "angst.create_character", name="Mara", cores=CORES, story_points=4)
        self.mara: str = made["events"][0]["character"]
        sheet = {"kind": "gmc", "cores": CORES, "story_points": 3, "relationships": {"the harbour": "B"}}
        made = self.hide("create_character", name="Vane", **sheet)
        self.vane: str = made["events"][0]["character"]

    def hide(self, command: str, *, rolled: Any = None, **fields: Any) -> Any:
        """Act so that only GMs may read it."""
        body = {"command": {"type": f"angst.{command}", **fields}, "visibility": "gm", "dice": rolled}
        answer = self.gm.post(f"{self.path}/actions", body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def undo(self, told: Any) -> Any:
        return self._rewrite(told, "undo")

    def redo(self, told: Any) -> Any:
        return self._rewrite(told, "redo")

    def _rewrite(self, told: Any, how: str) -> Any:
        answer = self.gm.post(f"{self.path}/actions/{told['action_id']}/{how}", {})
        assert answer.status_code == 201, answer.text
        return answer.json()

    def read_by_the_player(self) -> str:
        answers = [self.player.get(self.path + page, params=whole(page)) for page in (*PAGES, *BOARDS)]
        refused = {each.json()["code"] for each in answers if each.status_code != 200}
        assert refused <= {"session_not_found"}, "every page is one"
        return "".join(each.text for each in answers)

    def told(self, who: Person) -> list[str]:
        actions = who.get(f"{self.path}/actions", params=WHOLE).json()["actions"]
        return [line for each in actions for line in each["summary"]]

    def events(self, who: Person, kind: str) -> list[dict[str, Any]]:
        events = who.get(f"{self.path}/events", params=WHOLE).json()["events"]
        return [each for each in events if each["type"] == kind]

    def sheet(self, who: Person, character: str) -> Any:
        return who.get(f"{self.path}/sheets/{character}").json()["sheet"]

    def names(self, who: Person) -> list[str]:
        return [each["name"] for each in who.get(f"{self.path}/sheets").json()["sheets"]]

    def waiting(self, who: Person) -> Any:
        """What the table waits for, and everything on the board of the scene that does."""
        board = who.get(f"{self.path}/boards/angst/scene").json()
        return (
            who.get(self.path).json()["pending"],
            board["called_tests"],
            board["open_tests"],
            board["opposed_tests"],
        )


@pytest.fixture
def night(table: Table) -> Night:
    return Night(table)
