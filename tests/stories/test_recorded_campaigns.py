"""Every recorded campaign, played over HTTP on a real database and compared with how it came out before.

After a change that is meant to be seen in chronicle, sheets, boards or ledger, write the golden files anew and
read what changed in them:

    FIELDLOG_WRITE_GOLDEN=1 ./run test tests/stories && git diff tests/stories
"""

from collections import defaultdict
from typing import Any
from uuid import UUID

import msgspec
import psycopg
import pytest
from litestar.testing import TestClient

from domain.campaign.secrecy.audience import Audience
from domain.campaign.state import CampaignState
from domain.hash_chain import GENESIS, link_of, private_hash_of
from domain.ids import CampaignId, SystemId
from domain.systems import SYSTEMS
from projections.campaign.ledger import account_balances
from projections.sheets import sheet
from services.campaign.audience_fold import fold
from services.campaign.history_changes import history_changes_in, revealed_by, undone_by
from services.cli.demo.recording import recorded_names
from tests.engines import DatabaseUrls
from tests.stories.golden import expected, picture
from tests.stories.playing import Played, play

COMMANDS_MIN = 120


@pytest.fixture(scope="module", params=recorded_names())
def name(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture(scope="module")
def played(name: str, client: TestClient[Any], database: DatabaseUrls) -> Played:
    return play(name, client, database)


def test_the_campaign_comes_out_as_written_down(name, played):
    found = picture(played.story, player=played.player)
    assert found == expected(name, found)


def test_it_is_long_and_somebody_is_refused_on_the_way(name, played):
    assert len(played.acts) >= (COMMANDS_MIN if name in SYSTEMS else 0)
    assert {act.code for act in played.acts} - {None} != set()
    assert played.story.recording.title.settings["campaign.dice_origins"] == "table"


def test_a_repetition_is_told_the_first_answer_which_is_kept_in_few_bytes(played, database):
    story, answered = played.story, played.answered
    assert len(answered) >= 20
    for act, key, answer in answered[::7]:
        assert story.ask(act, key).plain == answer
    assert len(played.rows) == story.get(played.gm)["as_of"], "it happened once"
    with psycopg.connect(database.owner) as connection:
        query = "SELECT avg(length(answer)), max(length(answer)) FROM idempotency_keys WHERE campaign_id = %s"
        found = connection.execute(query, [story.campaign_id]).fetchone()
    assert found is not None
    assert found[0] < 300
    assert found[1] < 1_200


def test_its_books_are_right(played):
    """Invariant 12: the trial balance of every currency is zero, and sheets say what the ledger says."""
    books = played.story.get(played.gm, "/ledger/accounts")
    assert set(books["trial_balance"].values()) <= {0}
    assert books["drift"] == []


def test_its_hash_chain_holds_over_the_stored_rows(played):
    campaign_id, previous = CampaignId(UUID(played.story.campaign_id)), GENESIS
    for seq, row in enumerate(played.rows, 1):
        assert row.seq == seq
        assert link_of(campaign_id, previous, row) == private_hash_of(row)
        previous = row.hash
    assert played.story.last_answer["head_hash"] == previous.hex()


@pytest.mark.parametrize("role", ["gm", "player"])
def test_folding_all_events_gives_what_the_api_shows(played, role):
    who = played.gm if role == "gm" else played.player
    story, rewrites = played.story, history_changes_in(played.rows)
    state = fold(
        CampaignState(), Audience(gm=role == "gm"), played.rows, undone_by(rewrites), revealed_by(rewrites)
    )
    roster = [
        (system, each) for system in state.systems for each in SYSTEMS[system].characters(state.systems[system])
    ]
    assert len(roster) == len(story.get(who, "/sheets")["sheets"])
    assert roster or story.get(who, "/boards")["boards"], "nothing to look at"
    for system, known in roster:
        shown = story.get(who, f"/sheets/{known.character}")["sheet"]
        assert msgspec.to_builtins(sheet(state, SystemId(system), known.character)) == shown
    balances = {(each.account, each.currency): each.balance for each in account_balances(state, str)}
    accounts = story.get(who, "/ledger/accounts")["accounts"]
    assert balances == {(each["account"], each["currency"]): each["balance"] for each in accounts}
    together: dict[str, int] = defaultdict(int)
    for (_, currency), balance in balances.items():
        together[currency] += balance
    assert set(together.values()) <= {0}
    view = story.get(who)
    assert (view["as_of"], view["game_time"]) == (len(played.rows), state.game_time)


def test_sending_the_last_request_again_gives_the_same_answer_and_acts_once(played):
    assert played.story.last_request is not None
    assert played.story.ask(*played.story.last_request).plain == played.story.last_answer
    assert played.story.get(played.gm)["as_of"] == len(played.rows)
