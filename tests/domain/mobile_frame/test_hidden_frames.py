"""A frame that not all may know of counts for nothing until it enters play, and from then on like any other."""

from contextlib import suppress
from random import Random
from typing import Any, cast
from uuid import NAMESPACE_URL, uuid5

import msgspec
import pytest
from hypothesis import given
from msgspec import structs

from domain.campaign.commands import EnterPlay
from domain.campaign.knowledge.decision_by_audience import DecidedAction, Decision
from domain.campaign.secrecy.audience import TABLE
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.ids import ActionId, SystemId
from domain.rejection import Rejection
from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.battles import next_to_go
from domain.systems.mobile_frame.entrance_events import CoverEntered, FrameEntered
from domain.systems.mobile_frame.loadout import parsed
from domain.systems.mobile_frame.state import MobileFrameState
from projections.narration import tell
from projections.systems.mobile_frame.boards import battle as battle_view
from tests.domain.mobile_frame.promises import scores_are_assets_times_points
from tests.domain.mobile_frame.random_play import EXAMPLES, NOTATIONS, a_wish
from tests.domain.mobile_frame.table import PEOPLE
from tests.domain.random_play import CHANCES
from tests.domain.secret_play import SecretPlay
from tests.domain.system_table import person
from tests.scripted_dice import ScriptedDice

HERE = SystemId("mobile_frame")


class Field:
    """A campaign in which some frames and cover are hidden; `gm` leads, and `ann` knows her own."""

    def __init__(self) -> None:
        members: dict[Any, Any] = {person(who): "player" for who in PEOPLE} | {person("gm"): "gm"}
        self.play = SecretPlay(
            CampaignState(systems={HERE: MobileFrameState()}, members=members), [person(who) for who in PEOPLE]
        )
        self.asked = 0
        self.asp = self.rat = ""

    def do(self, who: str, command: Any, visibility: str = "all", faces: list[int] | None = None) -> Decision:
        """Somebody asks."""
        self.asked += 1
        context = CommandContext(
            command=command,
            account=None if who == "worker" else person(who),
            role="gm" if who == "gm" else "worker" if who == "worker" else "player",
            action_id=ActionId(uuid5(NAMESPACE_URL, f"hidden-{self.asked}")),
            at=0,
            game_time=0,
            settings=None,
            members=self.play.whole.members,
            visibility=visibility,
        )
        return self.play.act(context, visibility, ScriptedDice(faces or [1]))

    def refusal(self, who: str, command: Any, visibility: str = "all") -> str:
        with pytest.raises(Rejection) as refused:
            self.do(who, command, visibility)
        return refused.value.code

    def field_frame(self, who: str, name: str, visibility: str = "all", notation: str = "WWBGYRdRd") -> str:
        made = self.do("gm", c.RegisterLoadout(notation, name=name, owner=owner(who)), visibility)
        [registered] = made.main.events
        return str(registered.frame)

    def fight(self) -> None:
        self.do("gm", c.SetPointsPerAsset())
        self.do("gm", c.StartBattle())

    @property
    def state(self) -> MobileFrameState:
        """How things are."""
        return cast("MobileFrameState", self.play.whole.systems[HERE])

    @property
    def table(self) -> MobileFrameState:
        """What everybody knows."""
        return cast("MobileFrameState", self.play.told[TABLE].systems[HERE])

    def board(self, state: MobileFrameState) -> Any:
        return msgspec.to_builtins(battle_view(state, str))


def owner(who: str) -> str:
    """A player, or a company of the GM's."""
    return str(person(who)) if who in PEOPLE else who


@pytest.fixture
def field() -> Field:
    """Ann's Adder and Ben's Bear are fighting; Ann's Asp and the Raiders' Rat are not known to all."""
    field = Field()
    field.field_frame("ann", "Adder")
    field.field_frame("ben", "Bear")
    field.asp = field.field_frame("ann", "Asp", f"account:{person('ann')}")
    field.rat = field.field_frame("Raiders", "Rat", "gm")
    field.fight()
    return field


def id_of(field: Field, name: str) -> str:
    return next(each.frame_id for each in field.state.frames.values() if each.name == name)


def turn_of(field: Field, name: str) -> None:
    """A whole turn of a frame in which it does nothing; who would go before it passes."""
    frame = field.state.frames[id_of(field, name)]
    battle = field.state.battle
    assert battle is not None
    while frame.owner not in (first := next_to_go(field.state, battle)):
        field.do("gm", c.Pass(player=first[0]))
    field.do("gm", c.ActivateFrame(frame=frame.frame_id))
    field.do("gm", c.RollDicepool())
    field.do("gm", c.AssignDie(action="defense"))
    field.do("gm", c.EndTurn())


def test_a_hidden_frame_gives_nobody_points_a_score_a_turn_or_a_vote(field):
    for state in (field.state, field.table):
        assert {who: side.assets for who, side in state.battle.sides.items()} == {
            owner("ann"): 1,
            owner("ben"): 1,
        }
        assert "Raiders" not in {each["player"] for each in field.board(state)["players"]}
    turn_of(field, "Adder")
    turn_of(field, "Bear")
    [ended] = field.do("gm", c.EndRound()).main.events
    assert sorted(ended.votes) == sorted([owner("ann"), owner("ben")])
    assert field.refusal("gm", c.EndRound(votes=[True] * 3)) == "frames_not_activated"


def test_a_company_of_hidden_frames_alone_does_not_make_a_battle():
    field = Field()
    field.field_frame("ann", "Adder")
    field.field_frame("Raiders", "Rat", "gm")
    field.do("gm", c.SetPointsPerAsset())
    assert field.refusal("gm", c.StartBattle()) == "not_enough_players"


def test_points_per_asset_stay_while_hidden_frames_come_and_go():
    field = Field()
    field.field_frame("ann", "Adder")
    field.field_frame("ben", "Bear")
    field.do("gm", c.SetPointsPerAsset())
    rat = field.field_frame("Raiders", "Rat", "gm")
    field.do("gm", c.WithdrawFrame(frame=rat), "gm")
    asp = field.field_frame("ann", "Asp", "gm")
    field.do("gm", c.StartBattle())
    field.do("gm", EnterPlay(asp))
    assert field.table.frames.keys() == field.state.frames.keys()


def test_a_hidden_frame_has_no_turn_in_secret_and_is_nobodys_target(field):
    for command in cast(
        "tuple[Any, ...]",
        (
            c.ActivateFrame(frame=field.rat),
            c.CaptureStation(frames=[field.rat]),
            c.EndTurn(frame=field.rat),
        ),
    ):
        assert field.refusal("gm", command, "gm") in {"not_in_play", "no_turn", "no_station"}
    [cover] = field.do("gm", c.PlaceCover(bricks=6, height=3), "gm").main.events
    field.do("gm", c.ActivateFrame(frame=id_of(field, "Adder")))
    for target in (field.rat, cover.cover):
        command = c.DeclareTarget(target=target, range="direct", frame=id_of(field, "Adder"))
        assert field.refusal("gm", command, "gm") == "not_in_play"
        assert field.refusal("ann", command) == "unknown_target"
    field.do("gm", c.RollDicepool())
    field.do("gm", c.AssignDie(action="defense"))
    assert field.refusal("gm", c.Spot(distance=3, target=field.rat), "gm") == "not_in_play"
    assert field.refusal("ann", c.Spot(distance=3, target=field.rat)) == "unknown_target"
    field.do("gm", c.AssignDie(action="spot"))
    spotted = field.do("gm", c.Spot(distance=3)).main.events[-1]
    assert spotted.target == id_of(field, "Bear"), "it is the only hostile frame that can be meant openly"


def test_nothing_hidden_gives_cover_by_itself_and_what_is_named_as_cover_is_seen(field):
    [cover] = field.do("gm", c.PlaceCover(bricks=6, height=3), "gm").main.events
    field.do("gm", c.ActivateFrame(frame=id_of(field, "Adder")))
    field.do("gm", c.DeclareTarget(target=id_of(field, "Bear"), range="direct"))
    for step in (None, c.DeclaredAttack(distance=4, die=0)):
        for each in (step, c.RollDicepool(), c.AssignDie(action="defense")):
            if each is not None:
                field.do("gm", each)
    assert field.refusal("gm", c.NameSituation("in_cover")) == "no_cover"
    assert field.refusal("gm", c.NameSituation("covered_by_frame")) == "no_covering_frame"
    assert field.refusal("gm", c.NameSituation("in_cover", cover=cover.cover), "gm") == "unknown_cover"
    field.do("gm", c.NameSituation("in_cover", cover=cover.cover))
    field.do("gm", c.NameSituation("covered_by_frame", cover_frame=field.rat))
    assert field.table.covers == field.state.covers
    assert not field.table.frames[field.rat].hidden


def test_a_hidden_frame_contests_no_station_until_it_is_seen_there():
    field = Field()
    adder, _ = field.field_frame("ann", "Adder"), field.field_frame("ben", "Bear")
    rat = field.field_frame("Raiders", "Rat", "gm")
    [placed] = field.do("gm", c.PlaceStation()).main.events
    field.do("gm", c.MeasureStation(rat, placed.station, 1), "gm")
    field.fight()
    capture = c.CaptureStation(frames=[adder])
    assert field.do("ann", capture).main.events[0].player == owner("ann")
    field.do("gm", EnterPlay(rat))
    assert field.table.frames[rat].station_distances == {placed.station: 1}
    assert field.refusal("ann", capture) == "contested"


def test_an_ambusher_is_seen_when_it_declares_and_has_its_own_turn(field):
    decision = field.do("ann", c.ActivateFrame(frame=field.asp))
    [entering] = decision.entering
    assert [type(each) for each in entering.events] == [FrameEntered, e.ScoreRecalculated, e.TacticalOrderSet]
    assert entering.events[1].to == 2 * field.table.battle.sides[owner("ann")].ppa
    assert field.table.acting().frame == field.asp
    assert field.table.frames[field.asp] == field.state.frames[field.asp]
    assert field.board(field.state)["players"] == field.board(field.table)["players"]
    said = [str(tell(event, str)) for event in entering.events]
    assert said[0] == "Asp came into play"
    assert said[1].endswith("points: a frame came into play")


def test_a_company_that_enters_in_a_battle_has_points_per_asset_of_its_own_and_its_turn(field):
    entered = field.do("gm", EnterPlay(field.rat)).main.events
    assert entered[1] == e.ScoreRecalculated(player="Raiders", from_=0, to=5, reason="frame_entered")
    for state in (field.state, field.table):
        assert list(state.battle.sides) == sorted(state.battle.sides)
        assert state.battle.sides["Raiders"].assets == 1
    turn_of(field, "Adder")
    turn_of(field, "Bear")
    assert field.refusal("gm", c.EndRound()) == "frames_not_activated"
    turn_of(field, "Rat")
    field.do("gm", c.EndRound(votes=[True, True, True]))


def test_whoever_passed_is_asked_again_when_a_frame_comes_between_two_turns(field):
    [first, *_] = next_to_go(field.state, field.state.battle)
    field.do("gm", c.Pass(player=first))
    field.do("gm", EnterPlay(field.rat))
    assert field.table.battle.passed == field.state.battle.passed == []


def test_a_hidden_frame_that_is_attacked_is_seen_within_the_turn_and_answers(field):
    field.do("gm", c.ActivateFrame(frame=id_of(field, "Adder")))
    declared = field.do("gm", c.DeclareTarget(target=field.rat, range="direct"))
    assert [type(each) for each in declared.entering[0].events] == [FrameEntered, e.ScoreRecalculated]
    field.do("ann", c.RollDicepool())
    field.do("ann", c.AssignDie(action="defense"))
    field.do("ann", c.DeclaredAttack(distance=4, die=0))
    assert field.table.acting().frame == field.rat
    field.do("gm", c.RollDicepool())
    field.do("gm", c.AssignDie(action="defense"))
    field.do("ann", c.ResolveAttack(situation="open"), faces=[5])
    assert field.table.battle == field.state.battle


def test_hidden_cover_is_nobodys_until_it_is_named(field):
    [cover] = field.do("gm", c.PlaceCover(bricks=6, height=3), "gm").main.events
    [other] = field.do("gm", c.PlaceCover(bricks=9, height=3)).main.events
    assert (cover.name, other.name) == ("Cover 1", "Cover 1"), "its place in the count is no secret's to tell"
    assert list(field.table.covers) == [other.cover]
    field.do("gm", c.ActivateFrame(frame=id_of(field, "Adder")))
    declared = field.do("gm", c.DeclareTarget(target=cover.cover, range="direct"))
    assert [type(each) for each in declared.entering[0].events] == [CoverEntered]
    assert str(tell(declared.entering[0].events[0], str)) == "Cover 1 came into play"
    assert field.table.covers == field.state.covers


def test_what_has_entered_does_not_enter_again(field):
    field.do("gm", EnterPlay(field.asp))
    assert field.refusal("gm", EnterPlay(field.asp)) == "not_hidden"
    assert field.refusal("gm", EnterPlay("mobile-frame-000000000000")) == "unknown_subject"
    assert field.do("ann", c.ActivateFrame(frame=field.asp)).entering == []


def test_a_frame_whose_fielding_was_revealed_takes_part_once_it_enters(field):
    """A reveal tells what was done; whether the frame is in the battle is another question."""
    mole = registered("mobile-frame-0000000000aa", "Raiders")
    field.play.happen(DecidedAction(c.RegisterLoadout("WW"), [mole], ["all"], 0))
    assert field.refusal("gm", c.ActivateFrame(frame=mole.frame)) == "not_in_play"
    field.do("gm", EnterPlay(mole.frame))
    assert field.table.battle.sides["Raiders"].assets == 1
    turn_of(field, mole.name)


def registered(frame: str, who: str) -> e.LoadoutRegistered:
    """A hidden frame."""
    return e.LoadoutRegistered(frame, "Mole", who, "WWB", ["defense"], parsed("WWB"), True, True, hidden=True)


# --- at random -------------------------------------------------------------------------------------------------


def without_what_is_hidden(state: MobileFrameState) -> MobileFrameState:
    """What is left of the truth if whatever is hidden had never been."""
    return structs.replace(
        state,
        frames={id_: each for id_, each in state.frames.items() if not each.hidden},
        covers={id_: each for id_, each in state.covers.items() if not each.hidden},
        remembered=[],
    )


def hide_some(field: Field, chance: Random) -> None:
    """Companies of whom not all know all; a company of the GM's, and cover."""
    for who in (*PEOPLE, "Raiders"):
        for nth in range(3):
            seen = ["all", "gm", f"account:{person(who)}" if who in PEOPLE else "gm"]
            visibility = "all" if nth == 0 and who in PEOPLE else chance.choice(seen)
            field.field_frame(who, f"{who.title()} {nth}", visibility, chance.choice(NOTATIONS))
    for _ in range(2):
        field.do("gm", c.PlaceCover(bricks=chance.randint(3, 14), height=3), chance.choice(["all", "gm"]))
    field.do("gm", c.PlaceStation())
    field.do("gm", c.SetPointsPerAsset())
    field.do("gm", c.StartBattle(doomsday=4))


def wish(field: Field, chance: Random) -> tuple[str, Any]:
    """Mostly what the GM would do, knowing all, and now and then what somebody does who does not."""
    hidden = [each.frame_id for each in field.state.frames.values() if each.hidden]
    if field.state.battle is None:
        return "gm", chance.choice([c.SetPointsPerAsset(), c.StartBattle(doomsday=3)])
    if hidden and chance.random() < 0.02:
        return "gm", EnterPlay(chance.choice(hidden))
    if chance.random() < 0.03:
        station = chance.choice(list(field.state.stations) or ["none"])
        return "gm", c.MeasureStation(chance.choice(list(field.state.frames)), station, chance.randint(0, 3))
    if owed := MOBILE_FRAME.due_commands(field.state):
        return "worker", owed[0].command
    state = field.table if hidden and chance.random() < 0.7 else field.state  # it is not named by accident
    return "gm", a_wish(cast("Any", Known(state)), chance)  # it looks at nothing else


class Known:
    """A field as somebody knows it."""

    def __init__(self, state: MobileFrameState) -> None:
        self.state = state


@EXAMPLES
@given(CHANCES)
def test_the_table_plays_as_if_what_is_hidden_were_not_there(chance):
    field = Field()
    hide_some(field, chance)
    refusals: set[str] = set()
    for _ in range(140):
        who, command = wish(field, chance)
        hidden = isinstance(command, c.MeasureStation) and field.state.frames[command.frame].hidden
        try:
            decision = field.do(who, command, "gm" if hidden else "all", [chance.randint(1, 6) for _ in range(20)])
        except Rejection as refused:
            refusals.add(refused.code)
            continue
        assert decision.follows is None
        assert without_what_is_hidden(field.state) == structs.replace(field.table, remembered=[])
        for state in (field.state, field.table):
            if state.battle is not None:
                scores_are_assets_times_points(state, decision.main.events[-1] if decision.main.events else None)
            assert MOBILE_FRAME.pending(state) == MOBILE_FRAME.pending(field.table)
        assert field.board(field.state)["players"] == field.board(field.table)["players"]
    assert not refusals & {"not_possible_now", "rests_on_hidden", "not_in_play"}


def test_random_play_hides_much_and_much_of_it_comes_into_play():
    """The control of the test above."""
    hidden = parted = entered = 0
    for seed in range(4):
        chance, field = Random(seed), Field()  # noqa: S311 — the same plays every time
        hide_some(field, chance)
        hidden += field.play.hidden
        for _ in range(140):
            who, command = wish(field, chance)
            with suppress(Rejection):
                field.do(who, command, faces=[chance.randint(1, 6) for _ in range(20)])
        parted += field.play.parted
        entered += field.play.entered + sum(not each.hidden for each in field.state.frames.values())
    assert hidden > 20
    assert parted > 100
    assert entered > 10
