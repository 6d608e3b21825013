"""Free rolls: anybody who plays may roll what they like, and every face is kept."""

import msgspec
import pytest
from msgspec import UNSET, structs

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import RollDice, SetSetting
from domain.campaign.events import DiceRolled
from domain.campaign.play.free_rolls import roll_dice, with_label_apart
from domain.ids import CharacterId
from domain.personal_text import personal_paths
from domain.systems.frame_state import commands as c
from projections.narration import tell
from tests.campaign_played import CampaignPlayed, person
from tests.domain.frame_state.table import CATALOGUE
from tests.scripted_dice import ScriptedDice


@pytest.fixture
def played() -> CampaignPlayed:
    return CampaignPlayed()


def with_pilot(played: CampaignPlayed) -> CharacterId:
    played.do("ana", CATALOGUE)
    return CharacterId(played.do("ben", c.CreatePilot(name="Mara"))[0].pilot_id)


def rolled(played: CampaignPlayed, command: RollDice, *faces: int, who: str = "ana") -> DiceRolled:
    [event] = played.do(who, command, faces)
    assert isinstance(event, DiceRolled)
    return event


@pytest.mark.parametrize(
    ("notation", "faces", "sentence"),
    [
        ("4d6k3 + 2", (5, 6, 1, 4), "Ana rolled 4d6kh3+2: 5 6 (1) 4 \u2192 17"),
        ("2d6!-1d4", (6, 3, 2, 4), "Ana rolled 2d6!-1d4: 6! 3 2, 4 \u2192 7"),
        ("2d6r1", (1, 3, 2), "Ana rolled 2d6r1: (1) 3 2 \u2192 5"),
        ("3d10>=8", (9, 8, 1), "Ana rolled 3d10>=8: 9 8 1 \u2192 2, 2 successes"),
        ("3dF", (1, 2, 3), "Ana rolled 3dF: -1 0 +1 \u2192 0"),
        ("7", (), "Ana rolled 7: no dice \u2192 7"),
    ],
)
def test_a_roll_is_told_in_one_line(played, notation, faces, sentence):
    assert str(tell(rolled(played, RollDice(notation), *faces), played.name)) == sentence


def test_a_roll_says_for_whom_and_what_for(played):
    pilot = with_pilot(played)
    event = rolled(played, RollDice("d20", label="notice", character=pilot), 12, who="ben")
    assert event.rolled_by == person("ben")
    assert str(tell(event, played.name)) == "Ben rolled 1d20 for Mara (notice): 12 \u2192 12"


def test_only_a_characters_player_and_gms_roll_for_it(played):
    pilot = with_pilot(played)
    assert played.refusal("cleo", RollDice("d20", character=pilot)) == "not_your_character"
    assert played.refusal("ana", RollDice("d20", character=CharacterId("pilot-nobody"))) == "unknown_character"
    assert rolled(played, RollDice("d20", character=pilot), 1).character == pilot


def test_what_is_no_notation_is_refused_before_dice_are_asked_for(played):
    played.do("ana", SetSetting("campaign.dice_origins", "table"))
    assert played.refusal("ben", RollDice("4d6q")) == "notation_invalid"
    assert played.refusal("ben", RollDice("300d6")) == "notation_too_large"
    assert played.refusal("ben", RollDice("2d6")) == "table_dice_wanted"


def test_table_dice_are_exactly_those_that_the_roll_wants(played):
    [event] = played.do("ben", RollDice("2d6!"), typed=[(6, 6), (6, 2), (6, 3)])
    assert [(die.natural, die.origin) for die in event.dice] == [(6, "table"), (2, "table"), (3, "table")]
    assert event.total == 11
    assert played.refusal("ben", RollDice("2d6!"), typed=[(6, 6), (6, 2)]) == "dice_mismatch"
    assert played.refusal("ben", RollDice("2d6!"), typed=[(6, 1), (6, 2), (6, 3)]) == "dice_mismatch"
    assert played.refusal("ben", RollDice("2d6"), typed=[(6, 1), (8, 2)]) == "dice_mismatch"


def test_observers_do_not_roll(played):
    assert played.refusal("olaf", RollDice("d6")) == "observers_only_read"


def test_a_roll_is_read_from_the_wire_and_its_label_can_be_erased():
    wire = b'{"command":{"type":"campaign.roll","notation":"2d6","label":"to find my keys"}}'
    assert msgspec.json.decode(wire, type=ActRequest).command == RollDice("2d6", label="to find my keys")
    assert personal_paths(RollDice) == personal_paths(DiceRolled) == (("label",),)


def test_a_campaign_speaks_the_notation_that_it_chose(played):
    assert rolled(played, RollDice("3d6>5"), 5, 6, 1).total == 1
    played.do("ana", SetSetting("campaign.notation", "roll20"))
    event = rolled(played, RollDice("3d6>5"), 5, 6, 1)
    assert (event.notation, event.total) == ("3d6>=5", 2)
    assert rolled(played, RollDice("3d6>5", dialect="foundry"), 5, 6, 1).notation == "3d6>=6"


def test_a_label_in_the_notation_is_the_label_of_the_roll(played):
    command = with_label_apart(RollDice("/r 2d6[fire]+1 # to burn it"))
    assert (command.notation, command.label) == ("2d6      +1", "fire, to burn it")
    assert rolled(played, RollDice("2d6+1 fire"), 3, 4).label == "fire"
    assert rolled(played, RollDice("2d6+1 fire", label="ice"), 3, 4).label == "ice"


def test_several_rolls_are_one_action(played):
    events = played.do("ana", RollDice("3#2d6kh1"), (1, 2, 3, 4, 5, 6))
    assert [(event.notation, event.total) for event in events] == [("2d6kh1", 2), ("2d6kh1", 4), ("2d6kh1", 6)]
    assert len({event.roll_id for event in events}) == 3


def test_a_rounded_total_says_what_it_was(played):
    event = rolled(played, RollDice("1d6/2"), 5)
    assert (event.total, event.exact) == (2, "5/2")
    assert str(tell(event, played.name)) == "Ana rolled 1d6/2: 5 \u2192 2 1/2, rounded to 2"
    assert rolled(played, RollDice("1d6/2"), 4).exact is UNSET


def test_failures_and_an_order_are_shown(played):
    event = rolled(played, RollDice("4d6>=5df1sd"), 1, 5, 6, 3)
    assert (event.successes, [die.failure for die in event.dice if die.failure is not UNSET]) == (1, [True])
    assert str(tell(event, played.name)) == "Ana rolled 4d6>=5df1sd: 6 5 3 1 \u2192 1, 1 success"


def test_a_roll_that_is_decided_again_is_what_it_was(played):
    """The search for what an undo touches asks so: a new meaning of the notation changes no old roll."""
    event = rolled(played, RollDice("2d6>5"), 5, 6)
    command = played._asked("ana", RollDice("2d6>5"))
    again = structs.replace(command, meant_ids=lambda: (), outcome=[structs.replace(event, total=7)])
    played.do("ana", SetSetting("campaign.notation", "avrae"))
    [same] = roll_dice(played.state, again, again.command, ScriptedDice([5, 6]))
    assert isinstance(same, DiceRolled)
    assert same.total == 7
