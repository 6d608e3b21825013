"""Random play with secrets, told once more without them."""

from random import Random
from typing import Any
from uuid import UUID

from domain.ids import CampaignId
from services.workers.projector import Projector
from tests.services.conftest import Person
from tests.services.two_tellings import Telling, Wish, a_gms_wish, a_players_wish

MOVES = 90
NEVER_TOLD = {"not_possible_now", "rests_on_hidden"}


class Play:
    """One campaign with secrets, and what the table and one player may know of it, told without them."""

    def __init__(self, client: Any, seed: int) -> None:
        self.client = client
        self.chance = Random(seed)  # noqa: S311
        self.gm = Person(client, "Ana")
        self.mara, self.ben, self.olaf = (Person(client, name) for name in ("Mara", "Ben", "Olaf"))
        others = [self.mara, self.ben, self.olaf]
        self.whole, self.for_table, self.for_mara = (Telling(self.gm, others) for _ in range(3))
        self.deviations: list[str] = []
        self.parted: list[Telling] = []
        self.accepted = self.hidden = self.kept_back = 0
        self.begin()

    def begin(self) -> None:
        self.move(self.gm, ({"type": "frame_state.define_catalogue", "preset": "playtest1.2"}, None), "all")
        for player in (self.mara, self.ben):
            self.move(player, ({"type": "frame_state.create_pilot", "name": player.name}, None), "all")

    def play(self, moves: int) -> None:
        """So many moves, or up to the first in which a secret shows."""
        for nth in range(moves):
            if self.deviations:
                return
            if nth % 30 == 29:
                self.follow()
            if self.chance.random() < 0.5:
                self.move(self.gm, self._gms_wish(), self._gms_visibility())
            else:
                player = self.chance.choice([self.mara, self.ben])
                # Ben stands for the table, and the table knows nothing that was between him and the GM.
                private = "gm" if player is self.mara else "blind"
                visibility = self.chance.choice(["all"] * 6 + [private, "blind"])
                self.move(player, a_players_wish(self.chance), visibility)

    def move(self, who: Person, wish: Wish, visibility: str) -> Any:
        """Somebody acts; in the other tellings too, as far as their readers may know of it. The answer."""
        answer = self.whole.ask(who, wish, visibility, note="because")
        done = answer.status_code == 201
        self.accepted += done
        self.hidden += done and visibility != "all"
        self.kept_back += not done and answer.json()["code"] in NEVER_TOLD
        if not done and (answer.json()["code"] in NEVER_TOLD or who is self.gm):
            return answer
        for telling, reader in ((self.for_table, self.ben), (self.for_mara, self.mara)):
            if telling in self.parted or not self._may_know(reader, who, visibility):
                continue
            knows_as_much = who is reader
            if not done and not knows_as_much:
                continue
            same = telling.ask(who, wish, visibility, note="because")
            if done and not knows_as_much and same.status_code != answer.status_code and reader is self.mara:
                # What only Mara knows of forbids it here, what not even she knows of allowed it there. That it was
                # done is a fact for all, so her telling ends here.
                self.parted.append(telling)
                continue
            if done and same.status_code == 201:
                telling.learn(answer.json(), same.json())
            if knows_as_much or same.status_code != answer.status_code:
                self._compare(wish, visibility, answer, same)
        return answer

    def _compare(self, wish: Wish, visibility: str, answer: Any, same: Any) -> None:
        told, expected = (_told(each) for each in (answer, same))
        if told != expected:
            self.deviations.append(f"{wish} ({visibility}): {told}, but without secrets {expected}")

    def _may_know(self, reader: Person, who: Person, visibility: str) -> bool:
        if visibility == "all":
            return True
        if reader is self.ben:  # stands for the whole table: what only one player sees is told apart below
            return False
        return visibility == f"account:{reader.account_id}" or (who is reader and visibility == "gm")

    def _gms_visibility(self) -> str:
        return self.chance.choice(["all", "all", "gm", "gm", "blind", f"account:{self.mara.account_id}"])

    def _gms_wish(self) -> Wish:
        pilots = [each["character"] for each in self.gm.get(f"{self.whole.table.path}/sheets").json()["sheets"]]
        return a_gms_wish(self.chance, pilots)

    def follow(self) -> None:
        """Stored views are brought up to date, and what is owed is done."""
        application = self.client.app.state.application
        follower = Projector(application.log, application.views, application.handler)
        for telling in (self.whole, self.for_table, self.for_mara):
            self.client.blocking_portal.call(follower.campaign, CampaignId(UUID(telling.table.campaign_id)))

    def compare(self) -> list[str]:
        """Every difference between what readers can read of the tellings."""
        for reader, telling in ((self.olaf, self.for_table), (self.mara, self.for_mara)):
            if telling in self.parted:
                continue
            whole, without = self.whole.read(reader), telling.read(reader)
            for where in sorted(whole.keys() | without.keys()):
                if whole.get(where) != without.get(where):
                    found = _difference(whole.get(where), without.get(where))
                    self.deviations.append(f"{reader.name} {where}: {found}")
        return self.deviations


def _told(response: Any) -> Any:
    body = response.json()
    if response.status_code != 201:
        return response.status_code, body["code"], body["detail"]
    waits = [(each["kind"], each["waits_for"]) for each in body["pending"]]
    return response.status_code, [each["type"] for each in body["events"]], body["summary"], waits


def _difference(one: str | None, other: str | None) -> str:
    if one is None or other is None:
        return "only in one of the tellings"
    pairs = zip(one.splitlines(), other.splitlines(), strict=False)
    return next((f"{left.strip()} / {right.strip()}" for left, right in pairs if left != right), "longer")
