"""Two campaigns with everybody in them, and things of everybody's, for tests of who may do what."""

from collections.abc import Callable
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple
from uuid import uuid4

import httpx

from tests.services.conftest import PASSWORD, Person, Table, table_at
from tests.services.live_api import eventually
from tests.web.browser import Browser

NOBODY = "nobody"
MEMBERS = ("gm", "player", "observer")
CALLERS = (NOBODY, "removed", "stranger", *MEMBERS)

_numbers = count()

SUBSCRIPTION = {
    "endpoint": "https://push.example/one",
    "keys": {
        "p256dh": "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
}
"""A subscription of a browser; the keys are those of the example in RFC 8291."""


def device_of(person: Person) -> str:
    """A device of somebody, in the place of all others: it is the same browser."""
    devices = person.send("PUT", "/accounts/me/devices", json=SUBSCRIPTION).json()["devices"]
    return str(devices[0]["device_id"])


class Objects(NamedTuple):
    """One kind of thing, by whose it is. Each is made when it is asked for, since it may be used up."""

    own: Callable[[Person], str]
    others: Callable[[], str]
    foreign: Callable[[], str]
    nonexistent: Callable[[], str]


class World:
    """`ours` has members of every role and one who was removed; the stranger is a GM of `theirs`."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        Person(client, "Ana")  # whom a good sign-in names
        self.ours = self._campaign()
        self.theirs = self._campaign()
        self.pilot = self._piloted(self.ours, self.ours.player)
        self.ben = self.member("player")
        self.bens_pilot = self._piloted(self.ours, self.ben)
        self.their_pilot = self._piloted(self.theirs, self.theirs.player)
        removed = self.member("player")
        self._remove(removed)
        self._standing = {
            "removed": removed,
            "stranger": self.theirs.gm,
            "gm": self.ours.gm,
            "player": self.ours.player,
            "observer": self.member("observer"),
        }

    def caller(self, kind: str, *, fresh: bool = False) -> Person | None:
        """Somebody of that kind; `fresh`: one whom an operation may let in, change or take out."""
        if kind == NOBODY:
            return None
        if not fresh:
            return self._standing[kind]
        return self.member(kind) if kind in MEMBERS else Person(self.client, f"Fresh {next(_numbers)}")

    def member(self, role: str) -> Person:
        """A new member of ours."""
        return self._joined(self.ours, role)

    @cached_property
    def heir(self) -> Person:
        """A player of ours to whom the campaign may be handed."""
        return self.member("player")

    @cached_property
    def objects(self) -> dict[str, Objects]:
        """Every kind of thing that a path may name, by its parameter."""

        def invite(table: Table, field: str) -> str:
            made: str = table.gm.post(f"{table.path}/invites", {"role": "player"}).json()[field]
            return made

        def webhook(table: Table) -> str:
            """One, in place of all others: a campaign has some at most."""
            path = f"{table.path}/webhooks"
            for each in table.gm.get(path).json()["webhooks"]:
                table.gm.send("DELETE", f"{path}/{each['webhook_id']}")
            body = {"url": "https://example.org/hook", "kinds": ["dates"]}
            made: str = table.gm.post(path, body).json()["webhook"]["webhook_id"]
            return made

        def note(table: Table, by: Person) -> str:
            """One that may be undone without taking a pilot along."""
            made = table.try_to(by, "campaign.add_note", text="x")
            done = made if made.status_code == 201 else table.try_to(table.gm, "campaign.add_note", text="x")
            noted: str = done.json()["action_id"]
            return noted

        def token(person: Person) -> str:
            made = self.client.post("/api/tokens", json={"name": person.name, "password": PASSWORD}).json()
            headers = {"Authorization": f"Bearer {made['token']}"}
            found = self.client.get("/api/tokens", headers=headers).json()["tokens"]
            current: str = next(each["token_id"] for each in found if each["current"])
            return current

        def session(person: Person) -> str:
            signed_in = Browser(self.client).sign_in(person.name)
            (current,) = [each for each in signed_in.api("GET", "/sessions").json()["sessions"] if each["current"]]
            found: str = current["session_id"]
            return found

        def feed(person: Person | None, table: Table = self.ours) -> str:
            member = person if person is not None and person.get(table.path).status_code == 200 else table.gm
            path: str = member.post(f"{table.path}/calendar/feed", {}).json()["path"]
            return path.rpartition("/")[2]

        def failed_timer(table: Table) -> str:
            empty = f"member:{table.gm.account_id}"
            order = {
                "type": "post",
                "currency": "gold",
                "debit": empty,
                "credit": "world:dock",
                "amount": 1,
                "new": True,
            }
            table.act(table.gm, "campaign.schedule_timer", title="Poison", after={"seconds": 1}, effect=order)
            table.act(table.gm, "campaign.advance_calendar", by={"seconds": 1})
            failing: list[str] = []

            def has_failed() -> bool:  # which is written down after the answer
                board = table.gm.get(f"{table.path}/timers").json()["timers"]
                failing.extend(each["id"] for each in reversed(board) if each["state"] == "failing")
                return bool(failing)

            assert eventually(has_failed)
            return failing[0]

        ours, theirs = self.ours, self.theirs
        nothing = lambda: str(uuid4())  # noqa: E731 — four of these in a row read best on one line each
        return {
            "character": Objects(
                lambda _: self.pilot,
                lambda: self.bens_pilot,
                lambda: self.their_pilot,
                lambda: "pilot-000000000000",
            ),
            "action_id": Objects(
                lambda caller: note(ours, caller),
                lambda: note(ours, self.ben),
                lambda: note(theirs, theirs.player),
                nothing,
            ),
            "account": Objects(
                lambda caller: caller.account_id,
                lambda: self.member("player").account_id,
                lambda: theirs.player.account_id,
                nothing,
            ),
            "invite_id": Objects(
                lambda _: invite(ours, "invite_id"),
                lambda: invite(ours, "invite_id"),
                lambda: invite(theirs, "invite_id"),
                nothing,
            ),
            "webhook_id": Objects(
                lambda _: webhook(ours), lambda: webhook(ours), lambda: webhook(theirs), nothing
            ),
            "device_id": Objects(
                device_of, lambda: device_of(self.ben), lambda: device_of(theirs.player), nothing
            ),
            "timer_id": Objects(
                lambda _: failed_timer(ours),
                lambda: failed_timer(ours),
                lambda: failed_timer(theirs),
                nothing,
            ),
            "token_id": Objects(token, lambda: token(self.ben), lambda: token(self.theirs.player), nothing),
            "session_id": Objects(
                session, lambda: session(self.ben), lambda: session(self.theirs.player), nothing
            ),
            "board_key": Objects(lambda _: "mission", lambda: "mission", lambda: "turn", lambda: "nothing"),
            "feed": Objects(
                feed,
                lambda: feed(self.ben),
                lambda: feed(theirs.gm, theirs),
                lambda: f"{'A' * 43}.ics",
            ),
            "code": Objects(
                lambda _: invite(ours, "code"),
                lambda: invite(ours, "code"),
                lambda: invite(theirs, "code"),
                lambda: "A" * 43,
            ),
        }

    def _campaign(self) -> Table:
        return table_at(self.client, f"Ana {next(_numbers)}", f"Mara {next(_numbers)}")

    def _piloted(self, table: Table, player: Person) -> str:
        table.try_to(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
        table.try_to(table.gm, "campaign.start_session")
        entry = {"currency": "credits", "debit": "world:bank", "credit": "crew", "amount": 5, "reason": "x"}
        table.act(table.gm, "campaign.post_entry", **entry, new=True)
        made = table.act(player, "frame_state.create_pilot", name=f"Pilot {next(_numbers)}")
        pilot: str = made["events"][0]["pilot_id"]
        return pilot

    def _joined(self, table: Table, role: str) -> Person:
        late = Person(self.client, f"{role.title()} {next(_numbers)}")
        code = table.gm.post(f"{table.path}/invites", {"role": role}).json()["code"]
        assert late.post(f"/invites/{code}/accept").status_code == 201
        return late

    def _remove(self, person: Person) -> None:
        gone = self.ours.gm.send("DELETE", f"{self.ours.path}/members/{person.account_id}")
        assert gone.status_code == 204, gone.text


def lets_in(roles: Any, caller: str) -> bool:
    """Whether an operation's declared roles let a caller in, on what is theirs."""
    signed_in = caller != NOBODY
    return "anyone" in roles or (signed_in and "account" in roles) or caller in roles
