"""Point buy, refits and experimental parts (FS-9, FS-10, FS-13, FS-14)."""

import pytest
from msgspec import UNSET, structs

from domain.systems.frame_state import commands as c
from domain.systems.frame_state.settings import Settings
from projections.systems.frame_state.sheet import sheet
from tests.domain.frame_state.table import Table

AIM = c.AllocatePoint(category="tuning", attribute="aim_assist")
ARMOUR = c.AllocatePoint(category="tuning", attribute="armour")


@pytest.fixture
def table():
    table = Table()
    table.pilot()
    return table


def seen(table):
    [pilot] = table.state.pilots
    return sheet(table.state, pilot)


def test_a_blank_attribute_grows_one_die_at_a_time(table):
    steps = [table.do("mara", AIM)[0] for _ in range(5)]
    assert [(each.from_, each.to) for each in steps] == [
        ("\u2013", "d4"),
        ("d4", "d6"),
        ("d6", "d8"),
        ("d8", "d10"),
        ("d10", "d12"),
    ]


def test_a_value_grows_by_one_up_to_five(table):
    steps = [table.do("mara", ARMOUR)[0] for _ in range(5)]
    assert [each.to for each in steps] == [1, 2, 3, 4, 5]
    assert table.refusal("mara", ARMOUR) == "attribute_at_maximum"


def test_a_base_grade_counts_towards_the_ceiling(table):
    sharp = c.AllocatePoint(category="skills", attribute="sharpness")
    for _ in range(4):
        table.do("mara", sharp)
    assert table.refusal("mara", sharp) == "attribute_at_maximum"


def test_every_point_is_placed_once(table):
    for attribute in ("sharpness", "smarts"):
        for _ in range(4 if attribute == "sharpness" else 3):
            table.do("mara", c.AllocatePoint(category="skills", attribute=attribute))
    refused = table.refusal("mara", c.AllocatePoint(category="skills", attribute="smarts"))
    assert refused == "no_unspent_point"


def test_pools_are_apart(table):
    table.do("mara", AIM)
    assert seen(table).pools["skills"].unspent == 7
    assert seen(table).frames[0].pools["tuning"].unspent == 19


def test_the_sheet_shows_what_an_attribute_offers(table):
    table.do("mara", AIM)
    aim = seen(table).frames[0].attributes["aim_assist"]
    assert (aim.grade, aim.offer, aim.average, aim.maximum) == (1, "d4", 3, 4)


def test_a_refit_moves_a_point_for_a_tenth_rounded_up(table):
    table.do("mara", ARMOUR)
    refit = c.Refit(category="tuning", from_attribute="armour", to_attribute="aim_assist")
    spent, lost, placed = table.do("mara", refit)
    assert (spent.amount, lost.to, placed.to) == (31, 0, "d4")
    assert seen(table).frames[0].pools["tuning"].unspent == 19


def test_a_refit_leaves_maximum_and_ledger_alone(table):
    table.do("mara", ARMOUR)
    table.do("mara", c.Refit(category="tuning", from_attribute="armour"))
    frame = seen(table).frames[0]
    assert (frame.pools["tuning"].maximum, frame.pools["tuning"].unspent) == (20, 20)
    assert frame.upgrade_cost_total == 0


def test_a_base_grade_cannot_be_refitted_away(table):
    assert table.refusal("mara", c.Refit(category="skills", from_attribute="smarts")) == "no_invested_point"


def test_another_player_refits_nothing(table):
    assert table.refusal("jun", c.Refit(category="skills", from_attribute="smarts")) == "not_your_pilot"


def test_experimental_parts_stack_and_fill_no_pool(table):
    for value in (1, 3):
        table.do("handler", c.InstallExperimental(attribute="armour", value=value))
    armour = seen(table).frames[0].attributes["armour"]
    assert (armour.experimental, armour.bonus, armour.offer, armour.invested) == ([1, 3], 4, 0, 0)
    assert seen(table).frames[0].pools["tuning"].unspent == 20


def test_an_experimental_part_dies_with_its_frame(table):
    table.do("handler", c.InstallExperimental(attribute="armour", value=1))
    table.do("handler", c.LoseFrame())
    table.do("mara", c.CreateUnit(kind="frame", name="Heron"))
    assert seen(table).frames[1].attributes["armour"].bonus == 0


def test_a_point_past_d12_stays_when_the_setting_goes():
    table = Table(Settings(beyond_d12_bonus=True))
    table.pilot()
    for _ in range(7):
        table.do("mara", AIM)
    table.settings = Settings()
    aim = seen(table).frames[0].attributes["aim_assist"]
    assert (aim.offer, aim.bonus, aim.maximum) == ("d12+2", 2, 12)
    assert table.refusal("mara", AIM) == "attribute_at_maximum"


SHARP = c.AllocatePoint(category="skills", attribute="sharpness")
SMART = c.AllocatePoint(category="skills", attribute="smarts")
FREE_SHARPNESS = c.Refit(category="skills", from_attribute="sharpness")


@pytest.fixture
def refitted(table):
    """All seven points of skills are placed but one, which a refit took out of sharpness."""
    for allocate in (*[SHARP] * 4, *[SMART] * 3):
        table.do("mara", allocate)
    table.do("mara", FREE_SHARPNESS)
    return table


def test_a_point_that_a_refit_freed_does_not_go_back_where_it_came_from(refitted):
    assert seen(refitted).attributes["sharpness"].freed == 1
    assert refitted.refusal("mara", SHARP) == "same_attribute"
    [placed] = refitted.do("mara", SMART)
    assert (placed.to, placed.freed_from) == ("d12", "sharpness")
    assert seen(refitted).attributes["sharpness"].freed == 0


def test_a_point_of_another_origin_goes_where_a_refit_took_one_away(refitted):
    refitted.do("handler", c.AwardCurrency(amount=1000, reason="luck"))
    refitted.do("mara", c.AdvanceCategory(category="skills"))
    [placed] = refitted.do("mara", SHARP)
    assert (placed.to, placed.freed_from) == ("d12", UNSET)
    [placed] = refitted.do("mara", SMART)
    assert placed.freed_from == "sharpness"


def test_a_refit_of_old_whose_event_does_not_say_whence_the_point_came_frees_it_for_anything(refitted):
    granted = structs.replace(refitted.events[-1], freed_from=UNSET)
    old = Table()
    old.happened([*refitted.events[:-1], granted])
    [placed] = old.do("mara", SHARP)
    assert placed.to == "d12"


def test_where_a_freed_point_may_go_is_remembered_when_its_frame_is_replaced():
    table = Table(Settings(frame_loss="pools_kept"))
    table.pilot()
    for allocate in (*[AIM] * 5, *[ARMOUR] * 5):
        table.do("mara", allocate)
    table.do("mara", c.Refit(category="tuning", from_attribute="armour"))
    table.do("handler", c.LoseFrame())
    table.do("mara", c.CreateUnit(kind="frame", name="Heron"))
    table.do("handler", c.ReplaceFrame())
    assert [each.attributes["armour"].freed for each in seen(table).frames] == [0, 1]
