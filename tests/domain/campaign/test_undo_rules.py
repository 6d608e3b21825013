"""Who may undo what, rule by rule (invariant 11)."""

from typing import Any
from uuid import UUID

import pytest
from msgspec import structs

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import AddNote
from domain.campaign.events import DiceEpochEnded, DiceRolled, MemberJoined, NoteAdded, SettingChanged
from domain.campaign.evolve import evolve
from domain.campaign.history import redecided_outcome
from domain.campaign.history.undo import (
    ActionToUndo,
    Search,
    check_asker,
    check_consequences,
    check_target,
    check_undone,
)
from domain.campaign.messages.undo import ActionUndone
from domain.campaign.recorded_action import PastAction
from domain.campaign.state import CampaignState
from domain.dice.rolls import CountedDie
from domain.ids import AccountId, ActionId
from domain.rejection import Rejection
from domain.systems.mobile_frame.attack_events import AttackCommitted
from domain.systems.mobile_frame.events import DieAssigned

GM, BEN, CLEO, OLAF = (AccountId(UUID(int=nth)) for nth in (1, 2, 3, 4))
NOTE, OTHER, UNDO = (ActionId(UUID(int=nth)) for nth in (11, 12, 13))

WRITTEN = NoteAdded("note-1", "hear")


def action(
    actor: AccountId | None = BEN, *events: Any, action_id: ActionId = NOTE, visibility: str = "all"
) -> PastAction:
    happened = list(events) or [WRITTEN]
    return PastAction(
        action_id=action_id,
        first_seq=5,
        last_seq=5,
        recorded_at=0,
        game_time=0,
        actor=actor,
        cause="request",
        visibilities=[visibility] * len(happened),
        request=ActRequest(command=AddNote("hear")),
        events=happened,
    )


def rolled(actor: AccountId | None = BEN, origin: Any = "server", **how: Any) -> PastAction:
    event = DiceRolled("roll-1", actor, "d6", [CountedDie(0, "roll", 6, 3, 3, origin, "", kept=True)], 3)
    return action(actor, event, **how)


@pytest.fixture
def state() -> CampaignState:
    return CampaignState(members={GM: "gm", BEN: "player", CLEO: "player", OLAF: "observer"})


def policy(state: CampaignState, value: str) -> None:
    state.changed_settings["campaign.player_undo"] = value


def code(check: Any, *about: Any, **how: Any) -> str:
    """The code of a refusal; empty where there is none."""
    try:
        check(*about, **how)
    except Rejection as refusal:
        return refusal.code
    return ""


def asker(state: CampaignState, who: AccountId, target: PastAction, undone_by: AccountId | None = None) -> str:
    return code(check_asker, state, who, target, undone_by=undone_by)


def test_a_gm_may_ask_for_anything_and_a_player_for_what_they_did(state):
    theirs = action(BEN)
    assert [asker(state, who, theirs) for who in (GM, BEN, CLEO, OLAF)] == [
        "", "", "not_your_action", "observers_only_read",
    ]  # fmt: skip
    assert asker(state, BEN, action(None)) == "not_your_action"


def test_a_player_redoes_only_what_they_undid_themselves(state):
    theirs = action(BEN)
    assert asker(state, BEN, theirs, undone_by=BEN) == ""
    assert asker(state, BEN, theirs, undone_by=GM) == "not_your_undo"
    assert asker(state, GM, theirs, undone_by=BEN) == ""


def test_a_group_may_leave_undoing_to_its_gms(state):
    policy(state, "nothing")
    assert [asker(state, who, action(BEN)) for who in (GM, BEN, OLAF)] == [
        "",
        "undo_needs_gm",
        "observers_only_read",
    ]


def consequences(
    state: CampaignState,
    who: AccountId,
    *struck: ActionToUndo,
    target: PastAction | None = None,
    restored: tuple[PastAction, ...] = (),
    later_own: bool = False,
) -> str:
    search = Search(state, set(), {NOTE}, set())
    search.to_undo, search.restored = [*struck], [*restored]
    return code(check_consequences, state, who, target or action(BEN), search, later_own=later_own)


def test_only_the_last_action_of_ones_own_goes_unless_the_group_says_any(state):
    assert consequences(state, BEN, later_own=True) == "not_your_last_action"
    assert consequences(state, BEN) == ""
    assert consequences(state, GM, later_own=True) == ""
    policy(state, "own")
    assert consequences(state, BEN, later_own=True) == ""


def test_no_player_takes_back_dice_of_the_service_in_what_they_undo_or_what_goes_with_it(state):
    assert consequences(state, BEN, target=rolled()) == "server_dice_rolled"
    assert consequences(state, BEN, target=rolled(origin="table")) == ""
    assert consequences(state, BEN, ActionToUndo(rolled(None, action_id=OTHER), "caused")) == "server_dice_rolled"
    assert consequences(state, GM, target=rolled()) == ""


def attacked(action_id: ActionId = NOTE, visibility: str = "all") -> PastAction:
    event = AttackCommitted("frame-1", "frame-2", "frame", "direct", 6, 4)
    return action(BEN, event, action_id=action_id, visibility=visibility)


def test_no_player_takes_back_what_the_rules_let_nobody_take_back(state):
    """An announced attack, and its die, also where they would go with something that is undone before them."""
    given = DieAssigned("frame-1", "attack", 0, 6)
    for binding in (attacked(), action(BEN, given)):
        assert consequences(state, BEN, ActionToUndo(binding, "asked")) == "binding_by_the_rules"
        assert consequences(state, BEN, ActionToUndo(binding, "depends")) == "binding_by_the_rules"
        assert consequences(state, GM, ActionToUndo(binding, "asked")) == ""
    hidden = attacked(OTHER, "gm")
    assert consequences(state, BEN, ActionToUndo(hidden, "caused")) == "not_possible_now"
    for free in (structs.replace(given, action="spot"), structs.replace(given, die=None)):
        assert consequences(state, BEN, ActionToUndo(action(BEN, free), "asked")) == ""
    assert consequences(state, BEN, restored=(attacked(),)) == "", "a redo brings it back"


def test_no_player_takes_away_what_others_built_on_it(state):
    later = action(CLEO, action_id=OTHER)
    assert consequences(state, BEN, ActionToUndo(later, "depends")) == "others_depend_on_it"
    assert consequences(state, BEN, ActionToUndo(later, "caused")) == ""
    assert consequences(state, GM, ActionToUndo(later, "depends")) == ""


def test_what_is_hidden_stands_against_it_without_being_told(state):
    hidden = action(GM, action_id=OTHER, visibility="gm")
    assert consequences(state, BEN, ActionToUndo(hidden, "depends")) == "not_possible_now"
    assert consequences(state, BEN, ActionToUndo(hidden, "caused")) == ""
    dice = rolled(GM, action_id=OTHER, visibility="gm")
    assert consequences(state, BEN, ActionToUndo(dice, "caused")) == "not_possible_now"
    own = structs.replace(hidden, visibilities=[f"account:{BEN}"])
    assert consequences(state, BEN, ActionToUndo(own, "depends")) == "others_depend_on_it"
    state.revealed[OTHER] = UNDO
    assert consequences(state, BEN, ActionToUndo(hidden, "depends")) == "others_depend_on_it"


def test_a_player_brings_back_only_what_is_their_own_or_nobodys(state):
    assert consequences(state, BEN, restored=(action(BEN), action(None, action_id=OTHER))) == ""
    assert consequences(state, BEN, restored=(action(BEN), action(CLEO, action_id=OTHER))) == "not_your_action"
    assert consequences(state, GM, restored=(action(CLEO),)) == ""


def test_an_action_is_undone_once_and_redone_only_then(state):
    target = action()
    assert code(check_target, state, target) == ""
    assert code(check_undone, state, target) == "not_undone"
    after = evolve(state, ActionUndone(NOTE, 5, 5, "asked", "campaign.add_note", UNDO))
    assert code(check_target, after, target) == "already_undone"
    assert check_undone(after, target) == UNDO


@pytest.mark.parametrize(
    ("event", "undoable"),
    [
        (WRITTEN, True),
        (MemberJoined(BEN, "player"), False),
        (SettingChanged("campaign.player_undo", "own"), False),
        (SettingChanged("campaign.language", "fr"), True),
        (DiceEpochEnded(1, "00", "asked"), False),
        (DiceEpochEnded(1, "00", "used_up"), True),
    ],
)
def test_what_has_commands_of_its_own_is_not_undone(state, event, undoable):
    assert code(check_target, state, action(GM, WRITTEN, event)) == ("" if undoable else "not_undoable")


def test_what_only_tells_how_much_there_was_afterwards_makes_no_difference_to_what_happened():
    told = {"amount": 3, "left": 7, "total_after": 1, "pilots": [{"pilot": "mara", "left": 2, "credits_after": 5}]}
    assert redecided_outcome._without_balances(told) == {"amount": 3, "pilots": [{"pilot": "mara", "left": 2}]}
