"""Every operation, asked for with what it takes."""

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.domain.campaign.calendar_files_made import CALENDARIUM
from tests.services.conftest import PASSWORD, Person
from tests.services.forged import an_export
from tests.services.operations import FIXED, ON_PAST_ACTIONS, QUERIES, Operation
from tests.services.world import SUBSCRIPTION, World

NUMBERS = iter(range(10**6))

BODIES: dict[str, Callable[[], Any]] = {
    "POST /api/accounts": lambda: {"name": f"Somebody {next(NUMBERS)}", "password": PASSWORD},
    "DELETE /api/accounts/me": lambda: {"password": PASSWORD},
    "PATCH /api/accounts/me": lambda: {"language": "en"},
    "PUT /api/accounts/me/password": lambda: {"password": PASSWORD, "new_password": PASSWORD},
    "PUT /api/accounts/me/name": lambda: {"name": f"Somebody {next(NUMBERS)}", "password": PASSWORD},
    "PUT /api/accounts/me/devices": lambda: SUBSCRIPTION,
    "PATCH /api/accounts/me/devices/{device_id}": lambda: {"with_words": True},
    "POST /api/tokens": lambda: {"name": "Ana", "password": PASSWORD},
    "POST /api/session": lambda: {"name": "Ana", "password": PASSWORD},
    "POST /api/campaigns": lambda: {"name": "Another", "systems": ["frame_state"]},
    "POST /api/campaigns/import": an_export,
    "POST /api/campaigns/{campaign_id}/fork": dict,
    "POST /api/campaigns/{campaign_id}/invites": lambda: {"role": "player"},
    "DELETE /api/campaigns/{campaign_id}": lambda: {"name": "Iron Rain"},
    "PATCH /api/campaigns/{campaign_id}/members/{account}": lambda: {"role": "observer"},
    "POST /api/campaigns/{campaign_id}/actions": lambda: {"command": {"type": "campaign.add_note", "text": "x"}},
    "POST /api/campaigns/{campaign_id}/calendar/read": lambda: CALENDARIUM,
    "POST /api/campaigns/{campaign_id}/calendar/dates": lambda: {"calendar": {}, "origin_year": 1, "days": [0]},
    "POST /api/campaigns/{campaign_id}/calendar/preview": lambda: {"calendar": {}},
    "POST /api/campaigns/{campaign_id}/ledger/read": lambda: {"text": "from,to,amount\na,b,1\n"},
    "POST /api/campaigns/{campaign_id}/undo_since": lambda: {"after": 0, "dry_run": True},
    "POST /api/campaigns/{campaign_id}/webhooks": lambda: {"url": "https://example.org/hook", "kinds": ["dates"]},
    "POST /api/campaigns/{campaign_id}/dice/saved": lambda: {"name": "Sword", "notation": "1d20+5"},
    "POST /api/campaigns/{campaign_id}/commands": lambda: {"command": {"type": "campaign.add_note"}},
}

BODIES_THERE: dict[str, Callable[[Callable[[], Any]], Any]] = {
    "POST /api/campaigns/{campaign_id}/handover": lambda member: {"account": member(), "stay_as": "gm"},
}
"""Bodies that name somebody in the campaign, whom `member` makes."""


def deleted(person: Person) -> None:
    """Delete somebody's account, and sign in again."""
    assert person.send("DELETE", "/accounts/me", json={"password": PASSWORD}).status_code == 202
    token = person.client.post("/api/tokens", json={"name": person.name, "password": PASSWORD}).json()["token"]
    person.headers = {"Authorization": f"Bearer {token}"}


ON_ONESELF: dict[str, Callable[[Person], None]] = {
    "DELETE /api/accounts/me": lambda _: None,
    "PUT /api/accounts/me/name": lambda _: None,
    "POST /api/accounts/me/keep": deleted,
}
"""What somebody does with their account, who must be nobody that others need, and what they did before."""

AFTERWARDS = {
    "POST /api/campaigns/{campaign_id}/archive": "unarchive",
    "DELETE /api/campaigns/{campaign_id}": "restore",
}
"""What lets a campaign go on after an operation."""

LEDGER_ACCOUNT = "crew"


class Answer(NamedTuple):
    """What a caller can tell an answer by."""

    status: int
    code: str | None
    detail: str | None
    fields: list[str]


def trial(world: World, asked: Operation, caller: Person | None, campaign: str, thing: str | None) -> Answer:
    path = asked.path.replace("{campaign_id}", campaign)
    if asked.thing != "account":
        path = path.replace("{account}", LEDGER_ACCOUNT)
    for name, value in FIXED.items():
        path = path.replace(f"{{{name}}}", value)
    if asked.thing is not None and thing is not None:
        path = path.replace(f"{{{asked.thing}}}", thing)
    request: dict[str, Any] = {"params": QUERIES.get(asked.label), "headers": caller.headers if caller else {}}
    if asked.label in BODIES:
        body = BODIES[asked.label]()
        request["content" if isinstance(body, bytes) else "json"] = body
    elif asked.label in BODIES_THERE:
        request["json"] = BODIES_THERE[asked.label](lambda: world.heir.account_id)
    elif ON_PAST_ACTIONS in asked.path:
        request["json"] = {}
    with world.client.stream(asked.method, path, **request) as response:
        world.client.cookies.clear()  # nobody else is signed in by them
        if response.is_success:  # a live feed never ends: its status is all there is to see
            if asked.label in AFTERWARDS:
                world.ours.gm.post(f"{world.ours.path}/{AFTERWARDS[asked.label]}")
            return Answer(response.status_code, None, None, [])
        response.read()
    body = response.json()
    return Answer(response.status_code, body["code"], body["detail"], sorted(body))
