"""What is revealed becomes what everybody knows, and nothing else comes out with it (invariant 23).

Two tellings once more: where something is revealed in the one, it happens openly in the other at that moment. What
is revealed so may happen earlier or later with the same outcome; then both end alike.
"""

import json
from typing import Any
from uuid import UUID

import pytest

from domain.campaign.secrecy import audience as visibility
from domain.ids import CampaignId
from services.campaign.verify_log import stale_audiences
from services.workers.projection_fingerprint import views_digest
from tests.sampling import slow_but
from tests.services.conftest import Person
from tests.services.conftest import whole as one_page
from tests.services.hidden_play import MOVES, Play
from tests.services.two_tellings import VOLATILE, Telling, Wish, of

EARLIER_OR_LATER = {"frame_state.award_currency", "campaign.post_entry", "campaign.add_note"}

OF_EACH_TELLING = VOLATILE | {"game_time", "visibility", "cause", "id", "action_id", "acts"}
"""A revealed action stands where it happened, as what it was; what is owed is called after what it is owed for.

What may be done is another's for GMs and players, and is no part of how things stand.
"""

HOW_THINGS_STAND = ("", "/sheets", "/ledger/accounts", "/ledger/entries", "/boards", "/timers", "/calendar")

Secret = tuple[Wish, dict[str, Any]]
"""What was asked, and its answer."""


class Revealing(Play):
    """The same play, in which GMs reveal a secret now and then."""

    def begin(self) -> None:
        self.secrets: list[Secret] = []
        self.revealed = 0
        super().begin()

    def play(self, moves: int) -> None:
        for _ in range(moves // 5):
            super().play(5)
            if self.secrets and self.chance.random() < 0.7:
                self.reveal(*self.secrets.pop(self.chance.randrange(len(self.secrets))))

    def move(self, who: Person, wish: Wish, visibility: str) -> Any:
        answer = super().move(who, wish, visibility)
        if answer.status_code == 201 and visibility != "all" and wish[0]["type"] in EARLIER_OR_LATER:
            self.secrets.append((wish, answer.json()))
        return answer

    def reveal(self, wish: Wish, answer: dict[str, Any]) -> None:
        done = revealed(self, answer["action_id"])
        assert done.status_code == 201, done.text
        self.revealed += 1
        for telling in (self.for_table, self.for_mara):
            if answer["action_id"] not in telling.ids:
                same = telling.ask(self.gm, wish, "all", note="because")
                assert same.status_code == 201, f"{wish}: {same.text}"
                telling.learn(answer, same.json())

    def compare(self) -> list[str]:
        for reader, telling in ((self.olaf, self.for_table), (self.mara, self.for_mara)):
            read = json.dumps(outcome(self.whole, reader))
            whole = json.loads(telling.translated(read))
            without = outcome(telling, reader)
            for where in sorted(whole.keys() | without.keys()):
                if in_any_order(whole.get(where)) != in_any_order(without.get(where)):
                    self.deviations.append(f"{reader.name} {where}")
        return self.deviations


def revealed(play: Play, action: str) -> Any:
    return play.whole.ask(play.gm, (of("campaign.reveal_action", action_id=action), None), "all")


def outcome(telling: Telling, reader: Person) -> dict[str, Any]:
    """What a reader can read of how things stand."""
    path = telling.table.path
    roster = reader.get(f"{path}/sheets").json()["sheets"]
    pages = [*HOW_THINGS_STAND, *(f"/sheets/{each['character']}" for each in roster)]
    return {page: without_places(reader.get(f"{path}{page}", params=one_page(page)).json()) for page in pages}


def without_places(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: without_places(value) for key, value in part.items() if key not in OF_EACH_TELLING}
    return [without_places(each) for each in part] if isinstance(part, list) else part


def in_any_order(part: Any) -> str:
    """Entries stand where they happened first, whenever they were revealed."""
    if isinstance(part, dict):
        return json.dumps({key: in_any_order(value) for key, value in part.items()}, sort_keys=True)
    return json.dumps(sorted(map(in_any_order, part))) if isinstance(part, list) else json.dumps(part)


def require_stored_as_rebuilt(play: Play) -> None:
    """Invariant 9."""
    application, call = play.client.app.state.application, play.client.blocking_portal.call
    campaign = CampaignId(UUID(play.whole.table.campaign_id))
    play.follow()
    assert call(stale_audiences, application.log, application.views, campaign) == []
    stored = call(views_digest, application.views, campaign)
    call(application.views.invalidate, campaign)
    play.follow()
    assert call(views_digest, application.views, campaign) == stored


def test_what_was_revealed_is_as_if_it_had_been_open_and_the_rest_stays_hidden(client):
    play = Revealing(client, 1)
    play.play(MOVES)
    assert play.compare() == []
    assert play.revealed > 3
    assert play.hidden > play.revealed, "some stay hidden"
    require_stored_as_rebuilt(play)
    assert play.compare() == []


@pytest.mark.parametrize("seed", slow_but(range(2, 14), in_release=range(5, 14)))
def test_reveals_tell_what_they_should_however_long_it_is_played(client, seed):
    play = Revealing(client, seed)
    play.play(2 * MOVES)
    assert play.compare() == []
    require_stored_as_rebuilt(play)
    assert play.compare() == []


def test_reveals_that_open_nothing_are_found_out(client, monkeypatch):
    """Negative control."""
    monkeypatch.setattr(visibility, "is_revealed", lambda *_: False)
    play = Revealing(client, 1)
    play.play(MOVES // 2)
    assert play.compare() != []


def test_reveals_that_open_everything_are_found_out(client, monkeypatch):
    """Negative control."""
    monkeypatch.setattr(visibility, "is_revealed", lambda _, __, revealed: bool(revealed))
    play = Revealing(client, 1)
    play.play(MOVES // 2)
    assert play.compare() != []


class ToldInTheEnd(Play):
    """A play without marks that only the rules open."""

    def _gms_wish(self) -> Wish:
        wish = super()._gms_wish()
        return wish if not wish[0].get("mark_hidden") else self._gms_wish()


THE_READERS_OWN = {"your_role", "pending", "drift", "checked", "acts"}


def test_when_everything_is_revealed_players_read_what_gms_read(client):
    play = ToldInTheEnd(client, 2)
    play.play(MOVES)
    path = play.whole.table.path
    actions = play.gm.get(f"{path}/actions", params=one_page("/actions")).json()["actions"]
    hidden = [each["action_id"] for each in actions if each["visibility"] != "all"]
    assert hidden
    for action in hidden:
        answer = revealed(play, action)
        assert answer.status_code == 201 or answer.json()["code"] == "not_hidden", answer.text
    play.follow()
    roster = play.gm.get(f"{path}/sheets").json()["sheets"]
    pages = [*HOW_THINGS_STAND, "/actions", "/events", "/statistics", "/sheets"]
    pages += [f"/sheets/{each['character']}{what}" for each in roster for what in ("", "/record")]
    pages += [f"/actions?type={kind}" for kind in sorted({each["type"] for each in actions})]
    for page in pages:
        read = [who.get(f"{path}{page}", params=one_page(page)) for who in (play.gm, play.olaf)]
        whole, open_ = ({k: v for k, v in each.json().items() if k not in THE_READERS_OWN} for each in read)
        assert open_ == whole, page
