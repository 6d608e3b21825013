"""Words that a player wrote wherever words can stand, and where they are found."""

import base64
import json
from typing import Any

import psycopg
from psycopg import sql

from tests.engines import DatabaseUrls
from tests.services.conftest import Person, Table, table_at
from tests.services.live_api import Api, Follower
from tests.services.operations import QUERIES
from tests.services.two_tellings import Telling

WORD = "Zibéline7391"
WORDS = f'the “{WORD}” of \\ "B"'
KEY = {"Idempotency-Key": "said once"}


def encodings(word: str) -> list[str]:
    """How a word may look in a table that is read as text."""
    escaped = json.dumps(word)[1:-1]
    packed = [word.encode(), escaped.encode()]
    shifted = [base64.b64encode(b"\0" * nth + word.encode())[4:-4].decode() for nth in range(3)]
    return [word, escaped, *(each.hex() for each in packed), *(each for each in shifted if len(each) > 7)]


def tables_with(database: DatabaseUrls, campaign_id: str, *words: str) -> list[str]:
    """The tables in which any of these words stand, in whatever encoding: of one campaign, and of all accounts."""
    found = []
    with psycopg.connect(database.owner) as connection:
        every = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        for (name,) in connection.execute(every).fetchall():
            connection.execute("SELECT set_config('fieldlog.campaigns', %s, true)", ["{" + campaign_id + "}"])
            rows = connection.execute(
                sql.SQL("SELECT t::text, to_jsonb(t) ->> 'campaign_id' FROM {} AS t").format(sql.Identifier(name))
            )
            content = "\n".join(row for row, campaign in rows if campaign in (None, campaign_id))
            if any(form in content for word in words for form in encodings(word)):
                found.append(name)
    return sorted(found)


class Confession(Table):
    """A campaign in which Mara, its player, wrote the words wherever they can stand; Ana, its GM, ordered them."""

    def __init__(self, running: Api, language: str = "en") -> None:
        table = table_at(running.client)
        asked = {
            "name": "Ebb",
            "systems": ["frame_state", "overdrive"],
            "settings": {"campaign.language": language},
        }
        founded = table.gm.post("/campaigns", asked)
        assert founded.status_code == 201, founded.text
        super().__init__(table.gm, table.player, founded.json()["campaign_id"])
        code = self.gm.post(f"{self.path}/invites", {"role": "player"}).json()["code"]
        assert self.player.post(f"/invites/{code}/accept").status_code == 201
        self.act(self.gm, "frame_state.define_catalogue", preset="playtest1.2")
        self.wrote: list[tuple[Person, str]] = []
        mara, ana = self.player, self.gm
        self.said_once = {"command": {"type": "campaign.add_note", "text": WORDS}, "note": WORDS}
        self.first_answer = mara.post(f"{self.path}/actions", self.said_once, headers=KEY).json()
        self.wrote.append((mara, self.first_answer["action_id"]))
        self.write(mara, "campaign.roll", notation="d6", label=WORDS)
        made = self.act(mara, "overdrive.create_character", name="Mara Voss")
        character = made["events"][0]["character_id"]
        self.write(mara, "overdrive.add_relation", character=character, nature=WORDS, **{"with": "Oren"})
        pilot = self.write(mara, "frame_state.create_pilot", name="Ines", background=WORDS)["events"][0][
            "pilot_id"
        ]
        hidden = {"command": {"type": "campaign.add_note", "text": WORDS}, "visibility": "gm"}
        self.wrote.append((mara, mara.post(f"{self.path}/actions", hidden).json()["action_id"]))
        sheet = self.get_sheet(pilot)
        again = {**sheet, "name": "Ines again"}  # whose words go with those of the first Ines
        self.act(ana, "campaign.set_setting", key="campaign.adoption_approval", value="none")
        self.act(mara, "campaign.adopt_character", system="frame_state", sheet=again)
        self.act(ana, "campaign.start_session")
        slip = self.act(mara, "campaign.roll", notation="d4", rolled=[[4, 1]])["action_id"]
        undone = ana.post(f"{self.path}/actions/{slip}/undo", {"reason": WORDS})
        assert undone.status_code == 201, undone.text
        self.wrote.append((ana, undone.json()["action_id"]))
        award = {"type": "frame_state.award_currency", "pilot": pilot, "amount": 5, "reason": WORDS}
        order = {"type": "order", "command": award}
        self.write(
            ana, "campaign.schedule_timer", title="Wages", after={"days": 1}, every={"days": 1}, effect=order
        )
        body = {"command": {"type": "campaign.advance_calendar", "by": {"days": 2}}}
        fired = ana.post(f"{self.path}/actions", body, headers=KEY).json()
        assert WORD in json.dumps(fired, ensure_ascii=False)
        self.head = self.seq()

    def write(self, who: Person, command: str, **fields: Any) -> Any:
        done = self.act(who, command, **fields)
        self.wrote.append((who, done["action_id"]))
        return done

    def get_sheet(self, character: str) -> Any:
        return self.gm.get(f"{self.path}/sheets/{character}").json()["sheet"]

    def erase(self, who: Person, action_id: str) -> Any:
        return who.send("DELETE", f"{self.path}/actions/{action_id}/texts")

    def erase_all(self) -> None:
        for who, action_id in self.wrote:
            gone = self.erase(who, action_id)
            assert gone.status_code == 200, gone.text
            assert gone.json()["texts"] > 0

    def read(self, running: Api, *moments: int) -> dict[str, str]:
        """Everything that Ana and Mara can read at a process, now and then."""
        telling = object.__new__(Telling)
        telling.table = self
        found: dict[str, str] = {}
        for person in (self.gm, self.player):
            there = object.__new__(Person)
            there.__dict__ = {**person.__dict__, "client": running.client}
            for asked, path in telling._paths(there):
                for at in (None, *moments):
                    params = {} if at is None else {"at": str(at)}
                    answer = there.get(path, params=params | QUERIES.get(asked.label, {}))
                    found[f"{person.name} {path} {at}"] = answer.text
            found[f"{person.name} export"] = there.get(f"{self.path}/export").text
            found[f"{person.name} search"] = there.get(f"{self.path}/actions", params={"text": WORD}).text
            feed = Follower(running, there, self.path, last=0)
            feed.reaches(self.seq())
            feed.hang_up()
            found[f"{person.name} live"] = json.dumps([each.data for each in feed.told], ensure_ascii=False)
        return found


def saying(pages: dict[str, str]) -> list[str]:
    return [where for where, page in pages.items() if any(form in page for form in (WORD, json.dumps(WORD)[1:-1]))]
