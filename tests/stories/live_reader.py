"""People who hear a campaign live, in words, and read everything to see whether they were told what changed."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec import structs

from domain.campaign.state import ServerDice
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.ids import AccountId, CampaignId
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.cli.demo.story import Story
from services.reading.changed_reads import EVERYTHING, Drawings
from services.reading.live_feed import Feed, Pace
from services.reading.live_feed_news import EventTeller

LIMIT = 500
Get = Callable[..., Any]
"""What is read under a path of a campaign, with these parameters; None: it is not there."""


def in_story(story: Story, who: str) -> Get:
    """How one of the people of a story reads."""

    def get(path: str = "", **params: Any) -> Any:
        return (
            None if path == "/recap" and not story.get(who)["sessions_played"] else story.get(who, path, **params)
        )

    return get


def every_read(get: Get) -> dict[str, Any]:
    """Everything that somebody can read, by the word that a live feed has for it; lists to their end."""
    found: dict[str, Any] = {
        "campaign": get(),
        "members": get("/members"),
        "sheets": get("/sheets"),
        "boards": get("/boards"),
        "ledger": [get("/ledger/accounts", acts="false"), get("/ledger/entries", limit=LIMIT)],
        "timers": get("/timers"),
        "calendar": get("/calendar"),
        "downtime": get("/downtime"),
        "dice": get("/dice"),
        "statistics": get("/statistics"),
        "recap": get("/recap"),
        "chronicle": get("/actions", limit=LIMIT)["actions"],
    }
    for entry in found["sheets"]["sheets"]:
        path = f"/sheets/{quote(entry['character'])}"
        found[f"sheet:{entry['character']}"] = get(path, acts="false")
        found[f"record:{entry['character']}"] = get(f"{path}/record")
    for entry in found["boards"]["boards"]:
        key = f"{entry['system']}/{entry['board']}"
        found[f"board:{key}"] = get(f"/boards/{key}", acts="false")
    return found


class LiveReader:
    """Somebody with a feed in words, who remembers what was read last, and what was touched since."""

    def __init__(
        self, get: Get, account: AccountId, campaign_id: CampaignId, application: Application, call: Get
    ) -> None:
        self._get, self._account, self._campaign_id, self._call = get, account, campaign_id, call
        self._application = application
        told = EventTeller(Drawings())
        self._feed = Feed(application, application.notifier, Pace(), _signed_in, account, campaign_id, told)
        self.touched: set[str] = set()
        self.actions: list[dict[str, Any]] = []
        self.heard = ""
        """All that was told so far, as it is sent."""
        self.answered: Counter[bool] = Counter()
        """How often commands were asked for, and read otherwise or not."""
        self.listen()
        self._known = self._look()
        self._read = self._plain()

    def listen(self) -> None:
        """Hear what has happened since."""
        heard: list[bytes] = []

        async def write(frame: bytes) -> None:
            heard.append(frame)

        self._call(self._feed.tell_news, write)
        now = b"".join(heard).decode()
        self.heard += now
        for frame in now.split("\n\n"):
            _, is_action, data = frame.partition("\nevent: action\ndata: ")
            if is_action:
                self.actions.append(json.loads(data))
                self.touched.update(self.actions[-1]["touches"])

    def since(self, *, ask: Callable[[set[str]], bool] = lambda _: False) -> tuple[set[str], set[str]]:
        """Read everything: the words for what reads otherwise than the last time, and those that were touched.

        `ask` says by what was touched whether the commands are asked for, too, as of the last time and now: that
        takes longer than all other reads together. Otherwise all is compared that they are decided on.
        """
        last, self._known = self._known, self._look()
        before, self._read = self._read, self._plain()
        differs = {word for word in before.keys() | self._read.keys() if before.get(word) != self._read.get(word)}
        old, new = before["chronicle"], self._read["chronicle"]
        if new[: len(old)] == old:  # what is new there has come on the feed
            differs.discard("chronicle")
        touched, self.touched = self.touched, set()
        if ask(touched):
            otherwise = self._asked(last) != self._asked(self._known)
            self.answered[otherwise] += 1
            differs |= {"commands"} if otherwise else set()
        return differs, touched

    def _plain(self) -> dict[str, Any]:
        reads = every_read(self._get)
        found = {word: _written(read) for word, read in reads.items() if not word.startswith("record:")}
        records = {word: _written(read) for word, read in reads.items() if word.startswith("record:")}
        chronicle = [_written(entry) for entry in reads["chronicle"]]
        return found | {"records": json.dumps(records), "chronicle": chronicle, "commands": self._decided_on()}

    def _look(self) -> VisibleCampaign:
        """The campaign as this person knows it now, in a copy that stays so."""
        seen: VisibleCampaign = self._call(self._application.campaigns.see, self._campaign_id, self._account)
        state = decode_state(encode_state(seen.state))
        common = None if seen.common is None else decode_state(encode_state(seen.common))
        return structs.replace(seen, state=state, common=common, name=self._application.names.within(state))

    def _decided_on(self) -> bytes:
        """What this person knows of the campaign, on which commands are decided, without what decides nothing."""
        return msgspec.json.encode(
            structs.replace(self._known.state, dice=ServerDice(), skipped=False, missed=False)
        )

    def _asked(self, seen: VisibleCampaign) -> bytes:
        """The answer to what may be done in a campaign as it was seen."""
        view = self._call(self._application.possible.all, seen, None)
        return msgspec.json.encode(structs.replace(view, as_of=0))


def untold(differs: set[str], touched: set[str]) -> set[str]:
    """What reads otherwise although nothing said so."""
    return set() if EVERYTHING in touched else differs - touched


async def _signed_in() -> bool:
    return True


def _written(part: Any) -> str:
    """An answer without the seq that it reflects."""
    return json.dumps(_without_head(part))


def _without_head(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _without_head(each) for key, each in part.items() if key != "as_of"}
    return [_without_head(each) for each in part] if isinstance(part, list) else part
