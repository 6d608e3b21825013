"""People and the tables they sit at, made over HTTP."""

from typing import Any, NamedTuple
from uuid import UUID

import httpx

from domain.ids import ActionId, CampaignId

PASSWORD = "correct horse battery"

Tokens = list[dict[str, str]]
"""The headers of a GM and two players."""


class Seat(NamedTuple):
    """A campaign with its GM and the pilots of two players; `setup` are the actions it took to gather."""

    campaign_id: CampaignId
    tokens: Tokens
    pilots: list[str]
    setup: set[ActionId]

    @property
    def path(self) -> str:
        """The address of the campaign."""
        return f"/api/campaigns/{self.campaign_id}"


def sign_up(client: httpx.Client, number: int) -> Tokens:
    """Make the accounts of a GM and two players, who are told from others by a number."""
    names = [f"{who} {number}" for who in ("Ana", "Mara", "Ines")]
    accounts = [_post(client, "/api/accounts", {"name": name, "password": PASSWORD}) for name in names]
    return [{"Authorization": f"Bearer {account['token']}"} for account in accounts]


def gather(client: httpx.Client, number: int, tokens: Tokens) -> Seat:
    """Found a campaign and make two pilots."""
    founding = {"name": f"Iron Rain {number}", "systems": ["frame_state"]}
    campaign_id = _post(client, "/api/campaigns", founding, tokens[0])["campaign_id"]
    path = f"/api/campaigns/{campaign_id}"
    catalogue = {"type": "frame_state.define_catalogue", "preset": "playtest1.2"}
    _post(client, f"{path}/actions", {"command": catalogue}, tokens[0])
    pilots = []
    for player in tokens[1:]:
        code = _post(client, f"{path}/invites", {"role": "player"}, tokens[0])["code"]
        _post(client, f"/api/invites/{code}/accept", None, player)
        pilot = {"type": "frame_state.create_pilot", "name": f"Pilot {number}"}
        made = _post(client, f"{path}/actions", {"command": pilot}, player)
        pilots.append(made["events"][0]["pilot_id"])
    chronicle = client.get(f"{path}/actions", headers=tokens[0]).json()["actions"]
    setup = {ActionId(UUID(each["action_id"])) for each in chronicle}
    return Seat(CampaignId(UUID(campaign_id)), tokens, pilots, setup)


def _post(client: httpx.Client, path: str, body: Any, token: dict[str, str] | None = None) -> Any:
    answer = client.post(path, json=body, headers=token or {})
    assert answer.status_code == 201, answer.text
    return answer.json()
