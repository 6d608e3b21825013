"""Characters, their catalogue, their relationships, and how they come from another campaign."""

from typing import Any

import msgspec
import pytest

from domain.ids import CharacterId
from domain.rejection import Rejection
from domain.systems.angst import ANGST
from domain.systems.angst import commands as c
from domain.systems.angst.rolls import Crucial, Tap
from domain.systems.angst.settings import Settings
from projections.narration import tell
from projections.service_record_fold import When
from projections.systems.angst.service_record import CharacterRecordFold
from projections.systems.angst.sheet import sheet
from tests.domain.angst.table import CORES, Table
from tests.domain.system_table import kinds, person


@pytest.fixture
def table():
    return Table()


def told(table, events):
    people: dict[Any, str] = {person(who): who.title() for who in ("mara", "jun", "gm")}
    return [
        str(tell(each, lambda thing: people.get(thing) or ANGST.name(table.state, str(thing)) or str(thing)))
        for each in events
    ]


def test_players_create_their_own_characters_and_no_others(table):
    [created] = table.do("mara", c.CreateCharacter(name="Mara", cores=CORES))
    assert created.player_id == person("mara")
    others = c.CreateCharacter(name="Jun", cores=CORES, player=person("jun"))
    assert table.refusal("mara", others) == "not_your_character"
    assert table.refusal("mara", c.CreateCharacter(name="X", cores=CORES, factoids=["a"])) == "factoid_gmc_only"
    assert table.refusal("observer", c.MakeTest()) == "observers_only_watch"


def test_points_are_of_types_in_the_catalogue(table):
    assert table.refusal("mara", c.CreateCharacter(name="X", cores=CORES, angst={"envy": 1})) == "unknown_angst"


def test_a_character_changes_hands(table):
    mara = CharacterId(table.character())
    [assigned] = ANGST.assign(table.state, mara, person("jun"))
    ANGST.evolve(table.state, assigned)
    assert table.sheet(mara).player_id == person("jun")
    assert ANGST.assign(table.state, mara, person("jun")) == []


def test_the_sheet_says_what_heals_when_and_what_is_usable(table):
    mara = table.character(angst={"anger": 4})
    table.do("gm", c.MakeTest(core="physical", dn=20, character=mara, crucial=Crucial("gradual", deadly=True)))
    table.do("gm", c.MakeTest(core="mental", dn=5, tap=Tap("anger", "positive"), finalise=False))
    table.do("gm", c.CallTest(core="resolve", dn=12))
    view = sheet(table.state, mara, table.settings)
    [healing] = view.cores["physical"].heals
    assert (view.cores["physical"].rated, view.cores["physical"].effective) == ("d8", "d4")
    assert (healing.next_at_hour, healing.whole_at_hour, healing.next_at) == (168, 336, None)
    assert (view.angst["anger"].next_dn, view.angst["fear"].next_dn, view.overwhelming) == (11, 7, -1)
    assert (view.usable.tap, view.usable.buy_purge, view.usable.reroll_dice_max) == (False, True, 3)
    [waiting] = view.open_tests
    assert (waiting.may_reroll, waiting.may_add_life_experience) == (["base", "bonus", "core"], True)
    assert view.called_tests[0].band == "very hard"


def test_a_character_comes_over_with_wounds_that_heal_here(table):
    mara = table.character(relationships={"the crew": "B+"})
    table.do("gm", c.MakeTest(core="physical", dn=20, character=mara, crucial=Crucial("gradual")))
    drawn = msgspec.to_builtins(sheet(table.state, mara, table.settings))
    other = Table()
    other.pass_hours(50)
    [adopted] = ANGST.adopt(other.state, {**drawn, "player": str(person("jun"))}, other.context("gm", None))
    ANGST.evolve(other.state, adopted)
    again = msgspec.to_builtins(sheet(other.state, adopted.character, other.settings))
    same = {"name", "rocks", "sucks", "perks", "angst", "stressors", "comforts", "relationships", "story_points"}
    assert {key: again[key] for key in same} == {key: drawn[key] for key in same}
    assert again["cores"]["physical"]["effective"] == "d4"
    assert [back.at_hour for back in other.pass_hours(10)] == [51, 52]


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"name": ""}, "sheet_invalid", "name"),
        ({"angst": {"envy": {"points": 1}}}, "unknown_angst", "angst.envy"),
        ({"relationships": {"Jun": {"grade": "E"}}}, "unknown_grade", "relationships.Jun.grade"),
        ({"life_experience": {"current": 4, "max": 3}}, "sheet_invalid", "life_experience.current"),
        ({"cores": {"physical": {"rated": "d0"}}}, "core_out_of_range", "cores.physical.rated"),
        ({"cores": {"physical": {"rated": "d4", "lost": {"deadly": 2}}}}, "sheet_invalid", "cores.physical.lost"),
        ({"cores": {"physical": {"rated": "d4", "effective": "d0"}}}, "sheet_invalid", "cores.physical.effective"),
    ],
)
def test_a_sheet_that_cannot_be_is_refused_with_its_path(table, change, code, path):
    drawn = msgspec.to_builtins(sheet(table.state, table.character(), table.settings))
    changed = {**drawn, **change}
    if "cores" in change:
        changed["cores"] = {**drawn["cores"], **change["cores"]}
    with pytest.raises(Rejection) as refused:
        ANGST.adopt(table.state, changed, table.context("gm", None))
    assert (refused.value.code, refused.value.details["path"]) == (code, path)


def test_relationships_remember_since_when(table):
    mara = table.character()
    table.start_session()
    [changed] = table.do("gm", c.SetRelationship(target="Jun", grade="b", why="The night on the roof"))
    assert (changed.from_, changed.to, changed.since_session) == (None, "B", 1)
    assert table.do("gm", c.SetRelationship(target="Jun", grade="B")) == []
    assert table.refusal("gm", c.SetRelationship(target=mara, grade="B")) == "own_relationship"
    [line] = told(table, table.do("gm", c.SetRelationship(target="Jun", grade="D-")))
    assert line == "Mara's Relationship with Jun cooled from B to D-"


def test_a_milestone_is_for_the_living(table):
    mara, jun = table.character(), table.character("jun")
    table.do("gm", c.MakeTest(core="physical", dn=20, character=jun, crucial=Crucial("sudden", deadly=True)))
    reached, offered = table.do("gm", c.ReachMilestone(text="The harbour is free"))
    assert (reached.characters, offered.character) == ([mara], mara)
    assert table.refusal("gm", c.ReachMilestone(characters=[jun])) == "character_unavailable"
    assert table.refusal("gm", c.ReachMilestone(characters=[])) == "nobody_there"


def test_no_purge_is_offered_to_who_is_out_of_the_scene(table):
    """The offer would lapse with the scene, and they could not take it before."""
    mara, jun = table.character(), table.character("jun")
    table.state.characters[jun].status = "out_of_scene"
    reached, offered = table.do("gm", c.ReachMilestone(text="The harbour is free"))
    assert (reached.characters, offered.character) == ([mara], mara)
    assert table.refusal("gm", c.ReachMilestone(characters=[jun])) == "character_unavailable"
    assert table.refusal("gm", c.RecordPositiveEvent(character=jun)) == "character_unavailable"


def test_nobody_is_awarded_story_points_after_their_death(table):
    mara = table.character()
    table.state.characters[mara].status = "dead"
    assert table.refusal("gm", c.AwardStoryPoints(character=mara, amount=1)) == "character_unavailable"


def test_a_gmc_earns_nothing_by_a_negative_tap_unless_the_group_plays_it_so(table):
    table.character("guard", kind="gmc")
    tapped = c.MakeTest(core="mental", dn=5, tap=Tap("anger", "negative"))
    assert kinds(table.do("gm", tapped))[:2] == ["AngstTapped", "TestRolled"]
    table.end_scene()
    table.settings = Settings(gmc_spendables=True)
    events = table.do("gm", tapped)
    assert kinds(events)[:2] == ["AngstTapped", "StoryPointEarned"]
    assert events[1].gmc_spendables


def test_a_test_is_told_as_players_read_it(table):
    table.character()
    roll = c.MakeTest(core="mental", dn=9, rock="math", direct_support=2, crucial=None)
    assert told(table, table.do("gm", roll, [3, 4, 2])) == [
        "Mara tests Mental (rocks math): d6 3 + d8 4 + Bonus 2 +2 (direct support) for 11 against 9",
        "Mara makes it with 2 to spare",
    ]
    fall = c.MakeTest(core="physical", dn=9, crucial=Crucial("gradual", deadly=True))
    assert told(table, table.do("gm", fall, [1, 1])) == [
        "Mara tests Physical: d6 1 + d8 1 for 2 against 9",
        "Mara misses 9 by 7",
        "Mara fell short by 7, with their life at stake: Physical falls 2 steps to d4",
    ]
    assert told(table, table.pass_hours(168)) == ["Mara recovers: Physical is back at d6"]


def test_a_record_writes_itself(table):
    mara = table.character()
    table.do("gm", c.MakeTest(core="physical", dn=9, character=mara, crucial=Crucial("gradual")))
    table.do("gm", c.AvoidAngst(candidates=["fear"]))
    table.do("mara", c.BuyAngstPurge(angst="anger"))
    table.do("gm", c.ReachMilestone(text="Home"))
    table.pass_hours(5)
    fold = CharacterRecordFold(mara)
    for seq, event in enumerate(table.events, 1):
        fold.add(event, When(seq, "2026-01-01T00:00:00Z", 0, 1))
    record = fold.view(str)
    assert (record.tests["physical"].failed, record.tests["resolve"].failed) == (1, 1)
    assert (record.angst["fear"].gained, record.angst["anger"].purged) == (1, 1)
    assert (len(record.wounds), record.steps_recovered, record.spent["story_points:purge"]) == (1, 2, 2)
    assert [each.text for each in record.landmarks] == ["Home"]


def test_a_relationship_is_the_same_by_name_and_by_id(table):
    mara, jun = table.character(relationships={"Jun": "B+"}), table.character("jun")
    [changed] = table.do("gm", c.SetRelationship(target=jun, grade="A", character=mara))
    assert (changed.target, changed.from_, changed.to) == ("Jun", "B+", "A")
    assert [*table.sheet(mara).relationships] == ["Jun"]
    table.do("gm", c.SetRelationship(target=mara, grade="C", character=jun))
    [changed] = table.do("gm", c.SetRelationship(target="Mara", grade="F", character=jun))
    assert (changed.target, changed.from_) == (mara, "C")
