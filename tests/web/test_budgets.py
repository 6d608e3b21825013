"""Forms whose numbers share a budget say how much there is and how much is used; the service decides."""

import pytest

from projections.command_forms import FieldBudget
from services.http.screen.commands.form_entries import FormEntries
from services.http.screen.commands.number_budget import form_budget
from tests.services.conftest import Person, Table
from tests.web.html_page import Element
from tests.web.reader import Reader, filled

ATTRIBUTES = FieldBudget(26, ["item"], 26, [12, 8, 6])
DICE = FieldBudget(5, ["item", "dice"])
SYSTEMS = FieldBudget(4, [])


@pytest.fixture
def mixed(client) -> Table:
    """A campaign of two games in which something is shared out."""
    gm, player = Person(client, "Ana"), Person(client, "Mara")
    founded = gm.post("/campaigns", {"name": "Iron Rain", "systems": ["freefall", "mobile_frame"]})
    table = Table(gm, player, founded.json()["campaign_id"])
    table.act(gm, "campaign.set_setting", key="freefall.creation_values", value="public")
    return table


def budget_of(page: Element, field: str) -> Element:
    return page.one("p", id=f"c-{field}-budget")


@pytest.mark.parametrize(
    ("budget", "entries", "used", "left"),
    [
        (
            ATTRIBUTES,
            {"c.x.0.key": "body", "c.x.0.item": "12", "c.x.1.item": " 6 ", "c.x.2.item": "x"},
            18,
            [8],
        ),
        (ATTRIBUTES, {"c.x.0.item": "8", "c.x.1.item": "8"}, 16, [12, 6]),
        (DICE, {"c.x.0.dice": "2", "c.x.1.dice": "4", "c.x.1.tn": "3", "c.y.0.dice": "9"}, 6, []),
        (SYSTEMS, {"c.x.0": "attack", "c.x.0:row": "", "c.x.1": "", "c.x.2": "attack"}, 2, []),
        (SYSTEMS, {}, 0, []),
    ],
)
def test_what_is_used_is_counted_where_it_is_entered(budget, entries, used, left):
    told = form_budget(budget, "c.x", FormEntries([*entries.items()]))
    assert (told.used, told.left, told.is_kept) == (used, left, used <= budget.total)


def test_the_form_of_a_character_says_what_is_shared_out_without_a_script(mixed):
    gm = Reader(mixed, mixed.gm)
    page = gm.page("freefall.create_character")
    fresh = budget_of(page, "permanents")
    assert fresh.text == "Share out 12, 8, 6, each once. Left: 12, 8, 6 · 0 of 26 used"
    assert "c-permanents-budget" in page.one("fieldset", id="c-permanents").attributes["aria-describedby"]
    asked = gm.page("freefall.create_character", {**filled(page), "c.permanents.0.item": "12", "do": "ask"})
    assert budget_of(asked, "permanents").text.endswith("Left: 8, 6 · 12 of 26 used")
    is_npc = gm.page("freefall.create_character", {**filled(page), "c.npc": "yes", "do": "ask"})
    assert is_npc.all("p", id="c-permanents-budget") == []


def test_a_frame_counts_its_systems_while_they_are_limited(mixed):
    gm = Reader(mixed, mixed.gm)
    said = {"c.systems:on": "yes", "c.systems.0": "attack", "do": "ask"}
    assert budget_of(gm.page("mobile_frame.register_loadout", said), "systems").text.startswith("Up to 4 in all.")
    mixed.act(mixed.gm, "campaign.set_setting", key="mobile_frame.loadout_limits", value=False)
    assert gm.page("mobile_frame.register_loadout", said).all("p", id="c-systems-budget") == []


def test_programs_read_the_budget_beside_its_field(mixed):
    body = {"command": {"type": "freefall.create_character"}}
    fields = mixed.gm.post(f"{mixed.path}/commands", body).json()["command"]["fields"]
    [told] = [each["budget"] for each in fields if "budget" in each]
    assert told == {"total": 26, "used_by": ["item"], "least": 26, "shares": [12, 8, 6]}


def test_a_list_without_anything_to_choose_from_takes_no_rows(client):
    """Angst's types are the GM's to define: before that a row would lead nowhere."""
    gm, player = Person(client, "Ana"), Person(client, "Mara")
    founded = gm.post("/campaigns", {"name": "Harrow", "systems": ["angst"]})
    table = Table(gm, player, founded.json()["campaign_id"])
    add = {"name": "do", "value": "add:c.angst"}
    page = Reader(table, gm).page("angst.create_character")
    assert page.all("button", **add) == []
    table.act(gm, "angst.define_angst_types", types=["guilt"])
    assert Reader(table, gm).page("angst.create_character").text.count("Guilt") == 1
