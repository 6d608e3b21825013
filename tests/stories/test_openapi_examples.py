"""The OpenAPI document's examples are requests and answers of recorded campaigns, and what the document says.

After a change that alters answers, write them again:

    FIELDLOG_WRITE_GOLDEN=1 ./run test tests/stories/test_openapi_examples.py
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import httpx
import msgspec
import pytest

from domain.ids import AccountId, CampaignId
from domain.systems import SYSTEMS
from services.cli.demo.story import Story
from services.http.api.openapi_examples import FILE, Example, examples
from tests import golden
from tests.services.conftest import PASSWORD
from tests.services.conftest import document as document  # noqa: PLC0414 — a fixture of another folder
from tests.stories.live_reader import LiveReader, in_story
from tests.stories.memory_service import memory_service
from tests.stories.playing import recording_of
from tests.typed_answers import Checker

NOT_TOLD = {"password": PASSWORD, "token": "the token that opens everything of this account"}
OF_CAMPAIGNS = "ApiCampaignsCampaignId"
MAIN = {
    *("ApiAccountsSignUp", "ApiCampaignsCreate", "ApiInvitesCodeAcceptAccept", OF_CAMPAIGNS + "One"),
    *(
        OF_CAMPAIGNS + operation
        for operation in (
            *("ActionsActions", "ActionsActionIdAction", "EventsEvents", "RecapRecap", "InvitesInvite"),
            *("MembersMembers", "SheetsAll", "BoardsAll", "LedgerAccountsAccounts", "LedgerEntriesEntries"),
            *("TimersTimers", "CalendarCalendar", "CommandsOne"),
        )
    ),
}
LIVE = OF_CAMPAIGNS + "LiveLive"
ACT, UNDO = OF_CAMPAIGNS + "ActionsAct", OF_CAMPAIGNS + "ActionsActionIdUndoUndo"
OF_EACH_SYSTEM = {
    OF_CAMPAIGNS + operation
    for operation in ("ActionsAct", "SheetsCharacterOne", "SheetsCharacterRecordRecord", "BoardsSystemBoardKeyOne")
}
WITHOUT_SHEETS = {"mobile_frame"}


def played(name: str, document: dict[str, Any]) -> list[tuple[str, Example]]:
    """All that is asked and answered in a story, and then read of it."""
    found: list[tuple[str, Example]] = []
    checker = Checker(document)

    def keep(response: httpx.Response) -> None:
        operation = checker.operation(response.request)["operationId"]
        if operation in MAIN | OF_EACH_SYSTEM | {UNDO}:
            asked, answered = untold(response.request.read()), untold(response.read())
            found.append((operation, Example(response.status_code, answered, asked)))

    with memory_service(1) as client:
        client.event_hooks["response"].append(keep)
        story = Story(recording_of(name), client, suffix="", wait_seconds_max=0)
        assert [*story.play()]
        read(story)
        if name == "frame_state":
            found.append((LIVE, Example(200, on_the_feed(story, client))))
    return found


def on_the_feed(story: Story, client: Any) -> str:
    """What a feed in words tells of an action."""
    who, application = story.recording.title.gm, client.app.state.application
    campaign_id, account = CampaignId(UUID(story.campaign_id)), AccountId(UUID(story.bound[who]))
    with client.portal() as portal:
        reader = LiveReader(in_story(story, who), account, campaign_id, application, portal.call)
        before = len(reader.heard)
        story.table(who).act({"type": "campaign.roll", "notation": "2d6"}, dice=[(6, 5), (6, 2)])
        reader.listen()
    return reader.heard[before:]


def untold(sent: bytes) -> Any:
    """What was sent, with nothing in it that would open an account."""
    plain = msgspec.json.decode(sent or b"null")
    return plain | {key: NOT_TOLD[key] for key in NOT_TOLD if key in plain} if isinstance(plain, dict) else plain


def read(story: Story) -> None:
    """Read what there is, a little of each."""
    gm = story.recording.title.gm
    for sheet in story.get(gm, "/sheets")["sheets"][:1]:
        story.get(gm, f"/sheets/{sheet['character']}", acts="false")
        story.get(gm, f"/sheets/{sheet['character']}/record")
    for board in story.get(gm, "/boards")["boards"][::-1]:
        story.get(gm, f"/boards/{board['system']}/{board['board']}", acts="false")
    story.get(gm, "/ledger/accounts", acts="false")
    for page in ("", "/members", "/timers", "/calendar", "/recap"):
        story.get(gm, page)
    for page in ("/events", "/ledger/entries", "/actions"):
        found = story.get(gm, page, limit=2, after=40)
    story.get(gm, f"/actions/{found['actions'][0]['action_id']}")
    story.table(gm).post("/commands", {"command": {"type": "campaign.start_scene"}})


def chosen(name: str, found: list[tuple[str, Example]]) -> Iterator[tuple[str, str, Example]]:
    """Operations, what their example is called, and the example: of acting what tells most, else the last."""
    wanted = OF_EACH_SYSTEM | (MAIN | {LIVE} if name == "frame_state" else set())
    last = {operation: example for operation, example in found if example.status < 300}
    for operation in last.keys() & wanted - {ACT}:
        yield operation, name, last[operation]
    rolled = [example for operation, example in found if operation == ACT and "dice" in example.request]
    yield ACT, name, max(rolled, key=lambda each: len(each.response.get("summary", ())))
    if name == "frame_state":
        yield ACT, "refused", next(each for operation, each in found if (operation, each.status) == (ACT, 422))


def undone(found: list[tuple[str, Example]]) -> Iterator[tuple[str, str, Example]]:
    """What an undo would do, that it is refused without leave to take more along, and what it did."""
    for called, status in (("looked at", 200), ("refused", 409), ("undone", 201)):
        yield UNDO, called, next(each for operation, each in found if (operation, each.status) == (UNDO, status))


def write(document: dict[str, Any]) -> None:
    """Write them all, one a line."""
    several = [each for name in SYSTEMS for each in chosen(name, played(name, document))]
    lines = defaultdict[str, list[str]](list)
    for operation, called, example in (*several, *undone(played("undo", document))):
        lines[operation].append(f'  "{called}": {msgspec.json.encode(example).decode()}')
    whole = [f' "{operation}": ' + "{\n" + ",\n".join(each) + "\n }" for operation, each in sorted(lines.items())]
    FILE.write_text("{\n" + ",\n".join(whole) + "\n}\n", encoding="utf-8")


@pytest.fixture(scope="module")
def kept(document: dict[str, Any]) -> dict[str, dict[str, Example]]:
    if golden.is_writing():
        write(document)
    return examples()


def test_the_main_operations_have_examples_and_acting_and_reading_one_of_each_system(kept):
    assert set(kept) == MAIN | OF_EACH_SYSTEM | {UNDO, LIVE}
    for operation in OF_EACH_SYSTEM:
        without = WITHOUT_SHEETS if "Sheets" in operation else set()
        assert set(kept[operation]) - {"refused"} == set(SYSTEMS) - without


def test_examples_are_what_the_document_says_and_stand_in_it(kept, document):
    checker = Checker(document)
    every = [operation for methods in document["paths"].values() for operation in methods.values()]
    operations = {operation["operationId"]: operation for operation in every}
    for operation, known in kept.items():
        for name, example in known.items():
            answer, *_ = operations[operation]["responses"][str(example.status)]["content"].values()
            assert golden.is_writing() or answer["examples"][name] == {"value": example.response}
            assert checker.faults(answer["schema"], example.response) == [], (operation, name)
            if example.request is not None:
                body = operations[operation]["requestBody"]["content"]["application/json"]
                assert checker.faults(body["schema"], example.request) == [], (operation, name)
