"""A campaign with a GM who hides things, and a player who reads everything that a player can read."""

from typing import Any

from tests.services.conftest import Person, Table

PAGES = (
    "",
    "/actions",
    "/events",
    "/sheets",
    "/recap",
    "/statistics",
    "/ledger/entries",
    "/export",
    "/boards",
    "/timers",
)


class SecretTable(Table):
    """One rule system and those of its boards that are read; `fields` are more of the campaign's request."""

    def __init__(self, table: Table, system: str, *boards: str, **fields: Any) -> None:
        created = table.gm.post("/campaigns", {"name": "Nightside", "systems": [system], **fields}).json()
        super().__init__(table.gm, table.player, created["campaign_id"])
        code = self.gm.post(f"{self.path}/invites", {"role": "player"}).json()["code"]
        assert self.player.post(f"/invites/{code}/accept").status_code == 201
        self.system = system
        self.boards = [f"{self.path}/boards/{system}/{board}" for board in boards]

    def do(self, who: Person, command: str, **fields: Any) -> Any:
        """Act openly in the rule system, or as `visibility` says; the answer."""
        body = self._body(command, fields)
        answer = who.post(f"{self.path}/actions", body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def refusal(self, who: Person, command: str, **fields: Any) -> Any:
        """Act, and be refused: the whole problem."""
        answer = who.post(f"{self.path}/actions", self._body(command, fields))
        assert answer.status_code in (403, 404, 409, 422), answer.text
        return answer.json()

    def hide(self, command: str, **fields: Any) -> Any:
        """Act so that only GMs may read it."""
        return self.do(self.gm, command, visibility="gm", **fields)

    def _body(self, command: str, fields: dict[str, Any]) -> dict[str, Any]:
        seen: dict[str, Any] = {key: fields.pop(key) for key in ["visibility", "note"] if key in fields}
        if "rolled" in fields:
            seen["dice"] = fields.pop("rolled")
        name = command if "." in command else f"{self.system}.{command}"
        return {"command": {"type": name, **fields}, **seen}

    def read_by(self, who: Person) -> str:
        """Every page, what each action is as they may open it, and every sheet that they may open."""
        pages = [who.get(path).text for path in (*(self.path + page for page in PAGES), *self.boards)]
        actions = who.get(f"{self.path}/actions").json()["actions"]
        opened = [who.get(f"{self.path}/actions/{each['action_id']}").text for each in actions]
        roster = who.get(f"{self.path}/sheets").json()["sheets"]
        sheets = [who.get(f"{self.path}/sheets/{each['character']}").text for each in roster]
        records = [who.get(f"{self.path}/sheets/{each['character']}/record").text for each in roster]
        return "\n".join([*pages, *opened, *sheets, *records])

    def on_board(self, who: Person) -> Any:
        """The first of the boards, as somebody reads it."""
        return who.get(self.boards[0]).json()

    def pending(self, who: Person) -> list[Any]:
        """What the campaign waits for, as somebody reads it."""
        found: list[Any] = who.get(self.path).json()["pending"]
        return found

    def told(self, who: Person) -> list[str]:
        """The chronicle in words, the latest first or last as the page has it."""
        return [each for action in who.get(f"{self.path}/actions").json()["actions"] for each in action["summary"]]

    def sheet(self, who: Person, character: str) -> Any:
        answer = who.get(f"{self.path}/sheets/{character}")
        assert answer.status_code == 200, answer.text
        return answer.json()["sheet"]

    def undo(self, action: str, what: str = "undo") -> Any:
        """Undo or redo by the GM."""
        done = self.gm.post(f"{self.path}/actions/{action}/{what}", {})
        assert done.status_code == 201, done.text
        return done.json()
