"""Recovery: treatments and repairs by the calendar, their price in escrow, rest and regroups (FF-W1 to FF-W5)."""

import pytest
from msgspec import structs

from domain import lifecycle_events
from domain.campaign.money.ledger import postings
from domain.systems.freefall import FREEFALL
from domain.systems.freefall import commands as c
from domain.systems.freefall.settings import Settings
from domain.systems.system import OnCalendar
from tests.domain.freefall.table import Table, tags
from tests.scripted_dice import ScriptedDice

DAY = 86_400


@pytest.fixture
def table():
    table = Table()
    kai = table.runner()
    table.hurt("kai", kai, permanent=1, temporary=1)
    table.harm("kai", kai, c.Choice(option="C", item=table.item(kai, "Deck")))
    return table


def kai_of(table):
    """The only character."""
    [kai] = table.state.characters
    return kai


def work(table):
    table.do("gm", c.StartTreatment(slot=1, method="clinic", due=5 * DAY, price=300))
    table.do("gm", c.StartRepair(item=table.item(kai_of(table), "Deck"), fixer="Jo", due=3 * DAY, price=40))


def test_the_calendar_finishes_work_once_however_time_is_sliced(table):
    work(table)
    slices = [tags(table.pass_time(DAY)) for _ in range(7)]
    assert slices == [[], [], ["gear_repaired"], [], ["permanent_harm_removed"], [], []]


def test_seven_days_at_once_give_the_same_facts(table):
    work(table)
    assert tags(table.pass_time(7 * DAY)) == ["gear_repaired", "permanent_harm_removed"]
    assert table.pass_time(DAY) == []


def test_a_price_waits_in_escrow_until_work_is_done(table):
    work(table)
    escrow = [each for event in table.events for each in postings(event)]
    assert [(each.debit, each.amount) for each in escrow] == [("crew", 300), ("crew", 40)]
    done = [each for event in table.pass_time(7 * DAY) for each in postings(event)]
    assert [each.credit for each in done] == ["world:repair", "world:treatment"]
    assert {each.debit for each in done} == {each.credit for each in escrow}
    assert table.state.credits == {"crew": -340}


def test_a_cancelled_job_gives_the_price_back(table):
    work(table)
    table.do("gm", c.CancelTreatment())
    table.do("gm", c.CancelRepair())
    assert table.state.credits == {"crew": 0}
    assert table.pass_time(9 * DAY) == []


def test_where_credits_are_not_tracked_nothing_is_posted(table):
    table.settings = Settings(credits="off")
    work(table)
    table.pass_time(9 * DAY)
    assert [each for event in table.events for each in postings(event)] == []


def test_a_late_requirement_finishes_work_at_once(table):
    needed = c.StartTreatment(slot=1, method="clinic", due=DAY, required_actions=["a favour"])
    table.do("gm", needed)
    assert table.pass_time(2 * DAY) == []
    assert table.refusal("gm", c.CompleteTreatment()) == "requirements_missing"
    done = table.do("gm", c.RecordRequirement(action="a favour"))
    assert tags(done) == ["requirement_recorded", "permanent_harm_removed"]


def test_nobody_treats_who_is_out_of_the_story(table):
    work(table)
    kai = kai_of(table)
    table.harm("kai", kai, c.Choice(option="B", slot=2))
    table.harm("kai", kai, c.Choice(option="A"))
    events = table.harm("kai", kai, c.Choice(option="B", slot=3))
    assert tags(events)[-2:] == ["character_ousted", "treatment_cancelled"]
    assert table.state.credits == {"crew": -40}
    assert tags(table.pass_time(9 * DAY)) == ["gear_repaired"]


def test_no_treatment_begins_for_who_is_out_of_the_story(table):
    """FF-C16."""
    kai = kai_of(table)
    table.harm("kai", kai, c.Choice(option="B", slot=2))
    table.harm("kai", kai, c.Choice(option="A"))
    table.harm("kai", kai, c.Choice(option="B", slot=3))
    assert table.refusal("gm", c.StartTreatment(slot=1, method="clinic", due=DAY)) == "character_ousted"


def test_what_is_owed_names_its_moment_and_waits_for_what_it_needs(table):
    table.do("gm", c.StartTreatment(slot=1, method="clinic", due=5 * DAY, required_actions=["a favour"]))
    table.do("gm", c.StartRepair(item=table.item(kai_of(table), "Deck"), fixer="Jo", due=3 * DAY))
    [repair] = FREEFALL.due_commands(table.state)
    assert repair.due == OnCalendar(3 * DAY)
    table.do("gm", c.RecordRequirement(action="a favour", treatment=next(iter(table.state.treatments))))
    treatment, _ = FREEFALL.due_commands(table.state)
    assert treatment.due == OnCalendar(5 * DAY)
    table.game_time = 5 * DAY
    for each in (repair, treatment):
        assert table.do("worker", each.command)
    assert FREEFALL.due_commands(table.state) == []


def test_work_that_was_agreed_in_secret_is_finished_in_secret(table):
    """FF-W2."""
    deck = table.item(kai_of(table), "Deck")
    for command in (
        c.StartTreatment(slot=1, method="clinic", due=5 * DAY),
        c.StartRepair(item=deck, fixer="Jo", due=3 * DAY),
    ):
        context = structs.replace(table.context("gm", command), visibility="gm")
        [started] = FREEFALL.decide(table.state, context, ScriptedDice())
        table.state = FREEFALL.evolve(table.state, started)
    assert [each.visibility for each in FREEFALL.due_commands(table.state)] == ["gm", "gm"]
    for ending in (c.CancelRepair(item=deck), c.CompleteRepair()):
        assert FREEFALL.meant_ids(table.state, ending) == [*table.state.repairs], "and may be ended in secret"


def test_a_treatment_agreed_in_secret_is_not_called_off_where_all_can_see_it(table):
    """Old campaigns have hidden treatments of open wounds."""
    kai = kai_of(table)
    command = c.StartTreatment(slot=1, method="clinic", due=5 * DAY, required_actions=["a favour"])
    context = structs.replace(table.context("gm", command), visibility="gm")
    [started] = FREEFALL.decide(table.state, context, ScriptedDice())
    table.state = FREEFALL.evolve(table.state, started)
    table.harm("kai", kai, c.Choice(option="B", slot=2))
    ousting = table.harm("kai", kai, c.Choice(option="A"), c.Choice(option="B", slot=3))
    assert tags(ousting)[-1] == "character_ousted"
    assert "treatment_cancelled" not in tags(ousting)
    assert [*table.state.treatments] == [started.treatment_id]


def test_a_scene_that_ends_asks_the_gm_about_temporary_harm(table):
    [task] = table.follow(lifecycle_events.SceneEnded(scene_id="s"))
    assert list(task.harms) == [kai_of(table)]
    assert [each.kind for each in FREEFALL.pending(table.state)] == ["clear_temporary_harm"]
    table.do("gm", c.ClearTemporaryHarm(slot=2, by="rest", when="scene_end"))
    assert FREEFALL.pending(table.state) == []


def test_a_gm_is_no_longer_asked_about_harm_that_has_turned_permanent(table):
    """FF-W1."""
    kai = kai_of(table)
    table.harm("kai", kai, c.Choice(option="A"))
    [task] = table.follow(lifecycle_events.SceneEnded(scene_id="s"))
    assert len(task.harms[kai]) == 2
    table.harm("kai", kai, c.Choice(option="B", slot=2))
    assert table.state.recovery is not None
    assert table.state.recovery.harms == {kai: [table.state.characters[kai].slots[2].harm_id]}


def test_downtime_gives_everything_back_up_to_the_maximum(table):
    table.do("gm", c.SetTimeMode(mode="bullet"))
    table.do("kai", c.RollAction(dice=1, tn=9, prerequisite=c.Prerequisite(kind="spend", attribute="body")))
    table.follow(lifecycle_events.DowntimeStarted(downtime_id="d"))
    assert table.state.downtime
    events = table.follow(lifecycle_events.DowntimeEnded(downtime_id="d"))
    assert tags(events) == ["downtime_ended", "attribute_restored"]
    assert (events[1].current_after, events[1].max_current) == (9, 9)


def test_only_a_gm_or_a_worker_completes_work(table):
    work(table)
    table.game_time = 9 * DAY
    assert table.refusal("kai", c.CompleteTreatment()) == "not_the_gm"
    assert tags(table.do("worker", c.CompleteTreatment())) == ["permanent_harm_removed"]
    assert table.refusal("worker", c.CompleteTreatment()) == "no_treatment"


def test_a_typo_starts_no_crew_and_a_crew_left_out_is_the_only_one():
    """Review, All: typos create no money."""
    table = Table()
    table.do("kai", c.CreateCharacter("Kai", {"body": 8, "mind": 8, "ghost": 8}, "Runner", crew="lantern"))
    [earned] = table.do("gm", c.AwardCredits(amount=100, reason="pay"))
    assert earned.crew == "lantern"
    assert table.refusal("gm", c.ChargeCredits(amount=5, reason="rent", crew="lantren")) == "unknown_crew"
    table.do("gm", c.AwardCredits(amount=5, reason="seed money", crew="undertow", new=True))
    assert table.refusal("gm", c.ChargeCredits(amount=5, reason="rent")) == "which_crew"
    table.do("gm", c.ChargeCredits(amount=5, reason="rent", crew="undertow"))
    assert table.state.credits == {"crew:lantern": 100, "crew:undertow": 0}


def test_the_only_crew_pays_for_a_machine_that_nobody_pilots():
    table = Table()
    table.do("kai", c.CreateCharacter("Kai", {"body": 8, "mind": 8, "ghost": 8}, "Runner", crew="lantern"))
    [made] = table.do("gm", c.CreateMachine(name="Mule", frm=2, sys=1))
    table.do("kai", c.BoardMachine())
    table.do("kai", c.AllocateMachineHarm(harm_type="physical", levels=1, choices=[c.Allocation("machine")]))
    table.do("kai", c.LeaveMachine())
    [begun] = table.do("gm", c.StartRepair(item=made.machine, fixer="Jo", due=9, price=40))
    assert begun.payer == "crew:lantern"
