"""A campaign with hidden actions, and the same campaign as one reader knows it: without what is hidden from them.

Whatever a reader can read must be the same in both, placeholders, seqs, hashes, times and the ids that depend on
them aside.
"""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import UUID, uuid5

from domain.campaign.events import Hidden
from domain.campaign.recorded_action import CAUSED
from projections.narration import tell
from tests.services.conftest import Person, Table, whole
from tests.services.operations import FIXED, OPERATIONS, QUERIES, Operation

# A choice has a name made of ids, which are others in each telling.
VOLATILE = {
    "choice",
    "as_of", "seq", "last_seq", "since_seq", "at", "hash", "head_hash", "after", "next_after",
    "next_before", "campaign_id", "created_at", "made_at",
    "expires_at", "first_seq", "began_at", "ended_at", "from_seq", "to_seq", "commitment",
    "hidden_commitment", "recorded_at", "exported_at",
}  # fmt: skip
TEXT_HASHES = re.compile("text:[0-9a-f]{64}")
IDS = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\b[a-z_]+-[0-9a-f]{12}\b")
PLACES_IN_CHRONICLE = re.compile(
    r"[Nn]o\. \d+( · [0-9: -]* UTC)?|^(as_of|began_at|id): .*|of no\. [\d,]+|[0-9a-f]{8}-[0-9a-f-]{27}",
    re.MULTILINE,
)
PLACEHOLDER = "campaign.hidden"
PLACEHOLDER_SENTENCE = str(tell(Hidden(), str))
COUNTED_MAX = 40
"""How far somebody counts who tries which id could be made of others."""

WITHOUT_CONTENT = ("/live", "/checkpoint", "/verify", "/export", "/table")
"""The first shows the same objects as …/events, which its own tests hold; the next two seqs and hashes.

The fourth is compared line by line. The last shows what others do, and of the actions only the
last fifty, hidden ones among them.
"""
READS = [
    asked
    for asked in OPERATIONS
    if asked.method == "GET" and asked.in_campaign and set(asked.roles) >= {"gm", "player", "observer"}
]

Wish = tuple[dict[str, Any], list[list[int]] | None]
"""A command, and the dice typed in with it."""


class Telling:
    """One campaign, and how its ids relate to those of the first telling."""

    def __init__(self, gm: Person, others: list[Person]) -> None:
        founded = gm.post("/campaigns", {"name": "Two tellings", "systems": ["frame_state"]}).json()
        self.table = Table(gm, others[0], founded["campaign_id"])
        self.ids: dict[str, str] = {}
        for person in others:
            role = "observer" if person is others[-1] else "player"
            code = gm.post(f"{self.table.path}/invites", {"role": role}).json()["code"]
            assert person.post(f"/invites/{code}/accept").status_code == 201

    def ask(self, who: Person, wish: Wish, visibility: str, note: str | None = None) -> Any:
        command, dice = wish
        body = {"command": command, "dice": dice, "visibility": visibility, "note": note}
        return who.post(f"{self.table.path}/actions", json.loads(self.translated(json.dumps(body))))

    def translated(self, text: str) -> str:
        """What was told in the first telling, with the ids of this one."""
        return IDS.sub(lambda found: self.ids.get(found[0], found[0]), text)

    def learn(self, first: dict[str, Any], here: dict[str, Any]) -> None:
        """Which id here stands for which of the first telling, from the same action's answers."""
        for told, same in zip(first["events"], here["events"], strict=False):
            theirs, ours = (IDS.findall(json.dumps(each)) for each in (told, same))
            self.ids = {**dict(zip(theirs, ours, strict=False)), **self.ids}
        self.ids[first["action_id"]] = here["action_id"]

    def read(self, reader: Person) -> dict[str, str]:
        """Everything that a reader can read, by where it stands, in a form in which tellings can be compared."""
        canonical = Canonical()
        pages: dict[str, Any] = {}
        for asked, path in self._paths(reader):
            answer = reader.get(path, params=whole(path) | QUERIES.get(asked.label, {}))
            if answer.headers["content-type"].endswith("json"):  # a table of the ledger has the ledger's lines
                pages[path.removeprefix(self.table.path)] = answer.json()
        _name_all_events(pages)
        pages |= self._exported(reader)
        pages["/calendar/feed, its dates"] = self._dates(reader)
        pages["/chronicle/export, its lines"] = self._chronicle(reader)
        pages["/ids"] = _computed(pages["/events"]["events"])
        pages["/commands, since when"] = _since_which_event(pages["/commands"], pages["/events"]["events"])
        first = canonical.text(pages["/events"])  # in the order of events, ids get their numbers
        assert first
        return {
            canonical.name(where): canonical.sorted(page, "accounts")
            if where.endswith("/accounts")
            else canonical.text(page)
            for where, page in pages.items()
        }

    def _dates(self, reader: Person) -> list[str]:
        """The lines of a reader's calendar feed, without those that count events."""
        path = reader.post(f"{self.table.path}/calendar/feed", {}).json()["path"]
        lines = reader.client.get(path).text.replace("\r\n ", "").splitlines()
        return [line for line in lines if not line.startswith(("UID:", "SEQUENCE:", "DTSTAMP:", "URL:"))]

    def _chronicle(self, reader: Person) -> dict[str, str]:
        """The files of a reader's chronicle, without seqs, moments and ids."""
        path = f"{self.table.path}/chronicle/export"
        files = {"text": reader.get(path, params={"format": "text"}).text}
        archive = reader.get(path, params={"format": "markdown"}).content
        with zipfile.ZipFile(io.BytesIO(archive)) as vault:
            files |= {name: vault.read(name).decode() for name in vault.namelist()}
        return {name: PLACES_IN_CHRONICLE.sub("", _without_placeholders(text)) for name, text in files.items()}

    def _exported(self, reader: Person) -> dict[str, Any]:
        """The lines of an export, without what only their hashes are made of."""
        exported = reader.get(f"{self.table.path}/export").text
        lines = [json.loads(TEXT_HASHES.sub("a text", line)) for line in exported.splitlines()]
        events = [
            {
                **{key: line[key] for key in ("kind", "actor", "cause", "visibility", "game_time")},
                "texts": line.get("texts"),
                "body": json.loads(line["body"]),
                "command": json.loads(line.get("command", "null")),
            }
            for line in lines
            if line["line"] == "event"
        ]
        hidden = {json.dumps(_comparable(line)) for line in lines if line["line"] == "hidden"}
        others = [line for line in lines if line["line"] in ("header", "seed")]
        people = {line["name"]: line.get("role") for line in lines if line["line"] == "person"}
        return {
            "/export": events,
            "/export, what is hidden": sorted(hidden | {json.dumps({"line": "hidden"})}),
            "/export, the rest": [*others, dict(sorted(people.items()))],
        }

    def _paths(self, reader: Person) -> Iterator[tuple[Operation, str]]:
        things = {
            "character": [each["character"] for each in self._list(reader, "sheets", "sheets")],
            "action_id": [
                each["action_id"] for each in self._list(reader, "actions", "actions") if each["type"] is not None
            ],
            "board_key": [each["board"] for each in self._list(reader, "boards", "boards")],
        }
        for asked in READS:
            if asked.path.endswith(WITHOUT_CONTENT):
                continue
            path = asked.path.removeprefix("/api").replace("/campaigns/{campaign_id}", self.table.path)
            for name, value in FIXED.items():
                path = path.replace(f"{{{name}}}", value)
            if "/ledger/" in path and "{account}" in path:
                for each in self._list(reader, "ledger/accounts", "accounts"):
                    yield asked, path.replace("{account}", each["account"])
                continue
            for thing in things[asked.thing] if asked.thing is not None else [""]:
                yield asked, path.replace(f"{{{asked.thing}}}", thing)

    def _list(self, reader: Person, what: str, key: str) -> list[Any]:
        path = f"{self.table.path}/{what}"
        found: list[Any] = reader.get(path, params=whole(path)).json()[key]
        return found


def _without_placeholders(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if line.strip(" -") != PLACEHOLDER_SENTENCE)


class Canonical:
    """Puts numbers in the place of ids, in the order in which they appear, and drops what may differ."""

    def __init__(self) -> None:
        self._numbers: dict[str, str] = {}

    def text(self, page: Any) -> str:
        named = json.loads(self.name(json.dumps(_comparable(page))))
        return json.dumps(_with_ids_in_order(named), indent=1)

    def sorted(self, page: Any, key: str) -> str:
        """A list that is sorted by ids, which are others in each telling."""
        return "\n".join(sorted(self.text(each) for each in page[key]))

    def name(self, text: str) -> str:
        return IDS.sub(lambda found: self._numbers.setdefault(found[0], f"id{len(self._numbers)}"), text)


def _comparable(part: Any) -> Any:
    if isinstance(part, dict):
        passing = {"remaining"} if part.get("at") is not None else set()  # until a moment of real time
        return {key: _comparable(value) for key, value in part.items() if key not in VOLATILE | passing}
    if isinstance(part, list):
        kept = [each for each in part if not _is_placeholder(each)]
        return [_comparable(each) for each in kept]
    return part


def _with_ids_in_order(part: Any) -> Any:
    """Rules sort ids here and there, and each telling has its own."""
    if isinstance(part, dict):
        keys = sorted(part) if all(re.fullmatch(r"id\d+", key) for key in part) else part
        return {key: _with_ids_in_order(part[key]) for key in keys}
    if isinstance(part, list):
        ids = [each for each in part if isinstance(each, str) and re.fullmatch(r"id\d+", each)]
        if ids and len(ids) == len(part):
            return sorted(ids)
        inner = [_with_ids_in_order(each) for each in part]
        has_ids = all(isinstance(each, dict) and "id" in each for each in inner)
        return sorted(inner, key=json.dumps) if has_ids else inner
    return part


def _name_all_events(pages: dict[str, Any]) -> None:
    """Lists name the first events of an action and count all, placeholders too: each line gets all its events."""
    for entry in [entry for page in pages.values() for entry in _lines_with_a_count(page)]:
        events = pages[f"/actions/{entry['action_id']}"]["action"]["events"]
        assert entry["events"] == events[: len(entry["events"])]
        assert entry.pop("events_count") == len(events) > len(entry["events"])
        entry["events"] = events


def _lines_with_a_count(part: Any) -> Iterator[dict[str, Any]]:
    """The lines of actions, anywhere in a page, that name only some of their events."""
    if isinstance(part, dict):
        if "events_count" in part:
            yield part
        for value in part.values():
            yield from _lines_with_a_count(value)
    elif isinstance(part, list):
        for item in part:
            yield from _lines_with_a_count(item)


def _since_which_event(commands: dict[str, Any], events: list[dict[str, Any]]) -> list[Any]:
    """What is waited for, each with the event since which it is, as its reader reads that."""
    by_seq = {event["seq"]: event for event in events}
    return [[waits["sentence"], by_seq[waits["since_seq"]]] for waits in commands["waiting"]]


def _computed(events: list[dict[str, Any]]) -> list[str]:
    """How ids of actions follow from what their readers read: from the cause, a thing named, and two numbers."""
    return [f"{event['type']} is {made_of}" for event in events if (made_of := _made_of(event)) is not None]


def _made_of(event: dict[str, Any]) -> str | None:
    action, cause = (event["recorded"][name] for name in ("action_id", "cause"))
    if not cause.startswith(CAUSED):
        return None
    caused_by, own = UUID(cause.removeprefix(CAUSED)), UUID(action)
    things = dict.fromkeys([*IDS.findall(json.dumps(event)), "due"])
    subjects = [each for thing in things for each in (thing, *(f"{thing}:{nth}" for nth in range(COUNTED_MAX)))]
    parts = (f"{each}:{nth}" for each in subjects for nth in range(COUNTED_MAX))
    return next((each for each in parts if uuid5(caused_by, each) == own), None)


def _is_placeholder(item: Any) -> bool:
    if item in (PLACEHOLDER, PLACEHOLDER_SENTENCE):
        return True
    return isinstance(item, dict) and (
        item.get("type") == PLACEHOLDER
        or item.get("events") == [PLACEHOLDER]
        or item.get("summary") == [PLACEHOLDER_SENTENCE]
    )


# --- what people ask ------------------------------------------------------------------------------------------


def of(command: str, /, **fields: Any) -> dict[str, Any]:
    return {"type": command, **fields}


def a_players_wish(chance: Random) -> Wish:
    category = chance.choice(["skills", "tuning"])
    attribute = chance.choice(["sharpness", "smarts", "aim_assist", "armour"])
    die = chance.randint(1, 6)
    wishes: list[Wish] = [
        (of("frame_state.allocate_point", category=category, attribute=attribute), None),
        (of("frame_state.advance_category", category=category), None),
        (of("frame_state.refit", category=category, from_attribute=attribute), None),
        (of("frame_state.propose_test", dice=[{"die": "d6"}], modifiers=[1]), None),
        (of("frame_state.roll_test"), [[6, die]]),
        (of("frame_state.roll_test"), [[6, die]]),
        (of("frame_state.replace_frame"), None),
        (of("campaign.roll", notation="d6"), [[6, die]]),
        (of("campaign.add_note", text=f"note {chance.randint(1, 99)}"), None),
        (of("campaign.start_session"), None),
        (of("campaign.end_session"), None),
        (of("campaign.start_scene", name="A hall"), None),
    ]
    return chance.choice(wishes)


def a_gms_wish(chance: Random, pilots: list[str]) -> Wish:
    pilot = chance.choice(pilots)
    called = of(
        "frame_state.call_test",
        mark=chance.randint(1, 9),
        test_type="proactive",
        dice=[{"die": "d6"}],
        modifiers=[chance.randint(-2, 2)],
        mark_hidden=chance.random() < 0.4,
        pilot=pilot,
    )
    wishes: list[Wish] = [
        (called, None),
        (called, None),
        (of("frame_state.cancel_test"), None),
        (of("frame_state.award_currency", amount=chance.randint(1, 900), reason="luck", pilot=pilot), None),
        (of("frame_state.award_currency", amount=chance.randint(1, 900), reason="luck", pilot=pilot), None),
        (of("frame_state.charge_currency", amount=chance.randint(1, 200), reason="tax", pilot=pilot), None),
        (of("frame_state.start_mission", name=f"Ebb {chance.randint(1, 99)}"), None),
        (of("frame_state.conclude_mission", payouts={pilot: 50}), None),
        (of("frame_state.replace_frame", pilot=pilot), None),
        (of("frame_state.create_unit", kind="frame", name="Heron"), None),
        (of("frame_state.install_experimental", attribute="armour", value=2, pilot=pilot), None),
        (of("campaign.advance_calendar", by={"hours": chance.randint(1, 40)}), None),
        (of("campaign.post_entry", currency="credits", debit="crew", credit="world:market", amount=5, reason="x",
            new=True),
         None),
        (of("campaign.set_setting", key="frame_state.mission_costs", value="public"), None),
        *[a_players_wish(chance) for _ in range(4)],
    ]  # fmt: skip
    return chance.choice(wishes)
