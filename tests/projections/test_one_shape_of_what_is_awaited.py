"""All boards say in one shape whose word is awaited, for what, and what is accepted: a client reads one."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from domain.campaign.state import CampaignState
from domain.command_context import Role
from domain.ids import AccountId
from domain.mechanics.acceptable_commands import Trial
from domain.sentences import Sentence
from domain.systems import SYSTEMS
from domain.systems.angst.settings import Settings as AngstSettings
from domain.systems.frame_state.settings import Settings as FrameStateSettings
from domain.systems.freefall.settings import Settings as FreefallSettings
from domain.systems.overdrive.settings import Settings as OverdriveSettings
from domain.systems.system import RuleSystem
from projections.awaited_answers import WaitingFor, may
from projections.campaign.pending_choices import choices_of
from projections.systems import SYSTEM_VIEWS
from tests.domain.angst.random_play import play as play_angst
from tests.domain.board_answers import commands
from tests.domain.frame_state.random_play import play as play_frame_state
from tests.domain.freefall.random_play import play as play_freefall
from tests.domain.mobile_frame.random_play import RULER
from tests.domain.mobile_frame.random_play import play as play_mobile_frame
from tests.domain.overdrive.random_play import play as play_overdrive

FIELDS = {
    *("kind", "subject", "name", "waits_for", "waits_for_name", "told", "answers", "gm_answers", "absent"),
    *("optional", "hidden", "choice"),
}
WITHOUT_A_WORD = {"relationships"}
"""Boards that wait for nothing."""
PLAYS: dict[str, Callable[[Random], Any]] = {
    "angst": lambda chance: play_angst(AngstSettings(), chance),
    "frame_state": lambda chance: play_frame_state(FrameStateSettings(), chance),
    "freefall": lambda chance: play_freefall(FreefallSettings(), chance),
    "mobile_frame": lambda chance: play_mobile_frame(RULER, chance),
    "overdrive": lambda chance: play_overdrive(OverdriveSettings(), chance),
}


class Found(NamedTuple):
    """What the boards of a table list, for whom of those who play."""

    system: RuleSystem
    state: Any
    settings: Any
    able: list[AccountId]
    waiting: list[WaitingFor]


def found(system: RuleSystem, table: Any, able: list[AccountId]) -> Found:
    waiting: list[WaitingFor] = []
    for each in SYSTEM_VIEWS[system.id].boards:
        drawn: Any = each.view(table.state, str, table.settings, able)
        assert hasattr(drawn, "waits_for") is (each.board not in WITHOUT_A_WORD)
        waiting += getattr(drawn, "waits_for", [])
    alone = [
        entry
        for waits_for in SYSTEM_VIEWS[system.id].waits_for
        for entry in waits_for(table.state, str, table.settings, able)
    ]
    assert waiting == alone
    return Found(system, table.state, table.settings, able, waiting)


def faults(found: Found) -> list[str]:
    """What a client that knows the one shape would stumble over."""
    trial = Trial(found.system.decide, found.state, found.settings, found.able)
    stumbled = []
    for each in found.waiting:
        stumbled += ["shape"] * (set(msgspec.to_builtins(each)) != FIELDS)
        stumbled += ["untold"] * (not isinstance(each.told, Sentence))
        stumbled += ["absent"] * (each.waits_for is not None and each.waits_for not in found.able)
        stumbled += ["absent"] * (each.absent in found.able or (each.absent, each.waits_for).count(None) == 0)
        stumbled += ["stuck"] * (not each.answers and not each.hidden)
        for who, answers in ((each.waits_for, each.answers), (None, each.gm_answers)):
            stumbled += [
                "refused"
                for answer in answers
                for command in commands(found.system, answer)
                if not trial.accepts(command, who)
            ]
    return stumbled


def players(found: Found) -> list[AccountId]:
    return [each.waits_for for each in found.waiting if each.waits_for is not None]


@pytest.mark.parametrize("key", sorted(PLAYS))
@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(chance=st.integers(0, 10**9).map(Random))
def test_whoever_reads_one_shape_can_answer_in_every_system(key, chance):
    [system] = [each for each in SYSTEMS.values() if each.id == key]
    table = PLAYS[key](chance)
    everybody = sorted(
        {each.player for each in system.characters(table.state) if each.player is not None}, key=str
    )
    whole = found(system, table, [*everybody, *table_people(system, table)])
    assert faults(whole) == []
    left = chance.choice(players(whole) or [AccountId(msgspec.convert("0" * 32, AccountId))])
    without = found(system, table, [each for each in whole.able if each != left])
    assert faults(without) == []
    assert {each.absent for each in without.waiting} <= {None, left}
    assert players(whole) == [] or any(each.absent == left for each in without.waiting)


def table_people(system: RuleSystem, table: Any) -> list[AccountId]:
    """Whoever is waited for where nobody knows who has left."""
    entries = [
        entry
        for waits_for in SYSTEM_VIEWS[system.id].waits_for
        for entry in waits_for(table.state, str, table.settings, None)
    ]
    return [each.waits_for for each in entries if each.waits_for is not None]


def test_a_refused_answer_and_whoever_may_not_act_would_be_noticed():
    system = next(each for each in SYSTEMS.values() if each.id == "freefall")
    table = play_freefall(FreefallSettings(), Random(3))  # noqa: S311 — play, not secrets
    whole = found(system, table, table_people(system, table))
    entry = whole.waiting[0]
    wrong = {
        "refused": structs.replace(entry, answers=[may("freefall.decide_tie", {"first": ["nobody"]})]),
        "absent": structs.replace(entry, waits_for=AccountId(msgspec.convert("0" * 32, AccountId))),
        "stuck": structs.replace(entry, answers=[]),
        "untold": structs.replace(entry, told="somebody has to answer"),
    }
    assert faults(whole) == []
    for fault, each in wrong.items():
        assert fault in faults(whole._replace(waiting=[each]))


@pytest.mark.parametrize("key", sorted(PLAYS))
def test_the_campaign_page_says_what_the_boards_say(key):
    [system] = [each for each in SYSTEMS.values() if each.id == key]
    looked_at = 0
    for seed in range(4):
        table = PLAYS[key](Random(seed))  # noqa: S311 — play, not secrets
        people: dict[AccountId, Role] = dict.fromkeys(table_people(system, table), "player")
        state: Any = CampaignState(systems={system.id: table.state}, members=people)
        page = choices_of(state, str)
        boards = {
            (each.kind, each.subject, each.waits_for): each for each in found(system, table, [*people]).waiting
        }
        for each in page:
            assert set(msgspec.to_builtins(each)) == FIELDS
            assert each.told
            on_board = boards.get((each.kind, each.subject, each.waits_for))
            if on_board is not None:
                assert each.answers == on_board.answers
                looked_at += 1
    assert looked_at
