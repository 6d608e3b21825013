"""What the campaign itself waits for: whose word, about what, and what may be answered.

Whoever left is not waited for: a GM answers instead, and is told how to give the character to somebody else.
"""

import pytest

from domain.campaign import commands as c
from domain.campaign.messages import downtime as d
from domain.campaign.messages import escrow as m
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.undo import RequestUndo
from domain.ids import SystemId
from domain.rejection import Forbidden
from domain.systems.frame_state import commands as fs
from domain.systems.frame_state.state import TestDie
from domain.systems.system import Pending
from projections.campaign.pending_choices import choices_of, unlisted
from tests.campaign_played import CampaignPlayed, person
from tests.domain.frame_state.table import CATALOGUE


@pytest.fixture
def played() -> CampaignPlayed:
    """Ben's Mara has offered Cleo's Jun 30 credits."""
    found = CampaignPlayed()
    found.do("ana", CATALOGUE)
    mara = found.do("ben", fs.CreatePilot(name="Mara"))[0].pilot_id
    jun = found.do("cleo", fs.CreatePilot(name="Jun"))[0].pilot_id
    found.do("ana", fs.AwardCurrency(amount=100, reason="x", pilot=mara))
    found.do("ben", m.OfferTransfer("credits", f"pilot:{mara}", f"pilot:{jun}", 30, "for the coat"))
    return found


def entry(played: CampaignPlayed) -> str:
    [found] = played.state.pending_entries
    return found


def test_what_no_board_lists_is_tried_on_the_rules_and_says_who_is_asked(played):
    """Negative control: what the rules would refuse now is not offered."""
    mara = next(iter(played.state.systems["frame_state"].pilots))
    played.do("ana", fs.CallTest(pilot=mara, dice=[TestDie(attribute="smarts")], mark=3, test_type="reactive"))
    [test] = played.state.systems["frame_state"].tests
    system, pending = SystemId("frame_state"), Pending("roll_test", test.test_id, person("ben"))
    found = unlisted(played.state, system, pending, played.name)
    assert [each.command for each in found.answers] == [{"type": "frame_state.roll_test", "test_id": test.test_id}]
    assert (found.waits_for_name, str(found.told).partition(":")[0]) == (
        "Ben",
        "Ben is asked for an answer, “Roll the test”",
    )
    nowhere = unlisted(played.state, system, Pending("roll_test", "test-of-nobody", None), played.name)
    assert (nowhere.answers, nowhere.waits_for) == ([], None)


def test_an_offer_says_whose_word_is_awaited_about_what_and_what_answers_it(played):
    [offer] = choices_of(played.state, played.name)
    assert (offer.kind, offer.waits_for, offer.waits_for_name) == ("post_pending", person("cleo"), "Cleo")
    assert offer.told == "Mara offers Jun 30 credits"
    assert [each.command for each in offer.answers] == [
        {"type": "campaign.post_pending", "entry": entry(played)},
        {"type": "campaign.void_pending", "entry": entry(played)},
    ]
    assert offer.gm_answers == offer.answers
    assert (offer.absent, offer.optional, offer.name) == (None, False, "Jun")
    with pytest.raises(Forbidden, match="Somebody else has to agree"):
        played.do("ben", m.PostPending(entry(played)))
    played.do("ana", m.PostPending(entry(played)))
    assert choices_of(played.state, played.name) == []


@pytest.mark.parametrize(
    "gone",
    [
        lambda played: played.do("ana", c.RemoveMember(person("cleo"))),
        lambda played: played.do("cleo", c.RemoveMember(person("cleo"))),
        lambda played: played.do("ana", c.ChangeRole(person("cleo"), "observer")),
    ],
    ids=["removed", "left", "only reads along"],
)
def test_what_waits_for_somebody_who_can_no_longer_act_waits_for_a_gm_who_is_told_what_to_do(played, gone):
    gone(played)
    [offer] = choices_of(played.state, played.name)
    assert (offer.waits_for, offer.absent) == (None, person("cleo"))
    assert offer.told == (
        "Mara offers Jun 30 credits. Cleo can no longer act in this campaign: a GM answers instead, or hands the "
        "character to another member"
    )
    with pytest.raises(Forbidden):
        played.do("ben", m.PostPending(entry(played)))
    played.do("ana", m.PostPending(entry(played)))
    assert choices_of(played.state, played.name) == []


def test_an_offer_to_a_character_waits_for_whoever_plays_it_now(played):
    played.do("ana", c.RemoveMember(person("cleo")))
    jun = played.state.pending_entries[entry(played)].credit.partition(":")[2]
    played.do("ana", c.AssignCharacter(jun, person("ben")))
    [offer] = choices_of(played.state, played.name)
    assert (offer.waits_for, offer.absent) == (person("ben"), None)
    played.do("ben", m.PostPending(entry(played)))


def test_the_choice_of_a_rule_system_waits_for_a_gm_too(played):
    mara = next(iter(played.state.pending_entries.values())).debit.partition(":")[2]
    die = TestDie(die="d8")
    played.do("ana", fs.CallTest(test_type="proactive", mark=5, dice=[die], pilot=mara))
    [test] = [each for each in choices_of(played.state, played.name) if each.kind == "roll_test"]
    assert (test.waits_for_name, test.name) == ("Ben", "Mara")
    assert test.told == "Mara has to roll d8 against 5"
    assert [each.command["type"] for each in test.answers] == ["frame_state.roll_test"]
    played.do("ana", c.RemoveMember(person("ben")))
    [test] = [each for each in choices_of(played.state, played.name) if each.kind == "roll_test"]
    assert (test.waits_for, test.absent) == (None, person("ben"))


def test_plans_and_undo_requests_wait_for_a_gm_and_say_what_answers_them(played):
    played.do("ana", m.VoidPending(entry(played)))
    played.do("ana", c.SetSetting("campaign.downtime_approval", "gm"))
    played.do("ana", c.StartDowntime())
    mara = next(iter(played.state.systems["frame_state"].pilots))
    played.do("ben", d.PlanActivity(mara, "recover", "Bed rest", Span(days=3)))
    [plan] = choices_of(played.state, played.name)
    assert (plan.kind, plan.waits_for, plan.told) == (
        "approve_activity",
        None,
        "Mara wants to spend 3 days on “Bed rest”",
    )
    assert [each.command["type"] for each in plan.answers] == [
        "campaign.approve_activity",
        "campaign.stop_activity",
    ]
    noted = played.records[-1].action_id
    played.do("ben", RequestUndo(noted, "campaign.plan_activity"))
    [undo] = [each for each in choices_of(played.state, played.name) if each.kind == "undo_request"]
    assert undo.told == "Ben asks for an undo: undo it, or decline"
    assert [each.command for each in undo.answers] == [{"type": "campaign.decline_undo", "action_id": str(noted)}]
