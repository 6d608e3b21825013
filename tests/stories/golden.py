"""What a played story looks like to those who were there, with everything that differs between plays taken out."""

import json
import re
from pathlib import Path
from typing import Any

from services.cli.demo.story import Story
from tests import golden

FOLDER = Path(__file__).parent
BORN = re.compile(r"\b([a-z_]+)-[0-9a-f]{12}\b")
UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")


def picture(story: Story, *, player: str) -> dict[str, Any]:
    """The chronicle of the GM and of one player, every sheet, board and balance, normalised."""
    gm = story.recording.title.gm
    sheets = [
        story.get(gm, f"/sheets/{entry['character']}")["sheet"] for entry in story.get(gm, "/sheets")["sheets"]
    ]
    seen = {
        "chronicle as the GM reads it": chronicle(story, gm),
        f"chronicle as {player} reads it": chronicle(story, player),
        "sheets": {sheet["name"]: sheet for sheet in sheets},
        "boards": {
            f"{entry['system']} {entry['board']}": board(story, gm, entry)
            for entry in story.get(gm, "/boards")["boards"]
        },
        "ledger": [
            f"{account['name']}: {account['balance']} {account['currency']}"
            for account in story.get(gm, "/ledger/accounts")["accounts"]
        ],
    }
    seen["ledger"] = sorted(seen["ledger"])  # accounts come by id, and ids differ from play to play
    return normalised(seen, story)


def board(story: Story, who: str, entry: dict[str, Any]) -> dict[str, Any]:
    """A board without the seq it reflects (the log keeps more than the story), and what stands beside it."""
    drawn: dict[str, Any] = story.get(who, f"/boards/{entry['system']}/{entry['board']}")
    return {key: value for key, value in drawn.items() if key not in {"as_of", "names", "acts"}}


def chronicle(story: Story, who: str) -> list[str]:
    """Every action in one line: who, what came of it, and the note that was kept with it."""
    return [
        f"{entry['actor_name'] or '?'}: {'. '.join(entry['summary'])}"
        + (f" [{entry['note']}]" if entry["note"] else "")
        for entry in story.pages(who, "/actions", "actions")
    ]


def normalised(seen: dict[str, Any], story: Story) -> dict[str, Any]:
    """Ids by the recording's own symbols, names without the suffix of this play."""
    text = json.dumps(seen, ensure_ascii=False)
    for who in story.recording.title.people:
        text = text.replace(story.name(who), story.recording.title.people[who].name)
    for symbol, id_ in story.bound.items():
        text = text.replace(id_, f"${symbol}")
    text = UUID.sub("$uuid", BORN.sub(r"$\1", text))
    found: dict[str, Any] = json.loads(text)
    return found


def expected(name: str, found: dict[str, Any]) -> dict[str, Any]:
    """The golden file's picture; with FIELDLOG_WRITE_GOLDEN=1 it is first written anew from what was found."""
    if golden.is_writing():
        golden.write(FOLDER / f"{name}.golden.json", found)
    return read_golden(name)


def read_golden(name: str) -> dict[str, Any]:
    """The golden file's picture."""
    kept: dict[str, Any] = golden.read(FOLDER / f"{name}.golden.json")
    return kept
