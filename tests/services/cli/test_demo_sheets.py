"""The demo prints sheets as the screen draws them, by the words and layouts that the service gives any client."""

from io import StringIO

import msgspec
from rich.console import Console

from domain.campaign.calendar_shapes import CalendarShape
from projections.sheet_page import Telling
from projections.word_list import WordList, word_list
from services.cli.demo.printed_sheets import sheet_text
from tests.services.conftest import Table


def printed(words, struct, view, names):
    told = StringIO()
    console = Console(file=told, width=110, color_system=None)
    for each in sheet_text(words, struct, view, Telling(names, CalendarShape())):
        console.print(each)
    return told.getvalue()


def test_a_sheet_is_printed_as_lines_tables_and_entries():
    view = {
        "name": "Noa",
        "player": "606981d8-9018-4e43-9069-e04abac29837",
        "status": "fit",
        "od": {"available": 3, "spent": 1},
        "fatal_counter": {"value": 2, "next_saves_on": 4},
        "tactical_points": 0,
        "stats": {"agility": 4, "will": 2},
        "scores": {"attack": {"stat": "agility", "in_mech": None, "on_foot": 5, "now": 5}},
        "mechs": [{"name": "Gull", "boarded": True, "mode": "normal", "attributes": {"speed": 3}}],
    }
    told = printed(word_list("en"), "OverdriveCharacterSheetView", view, {view["player"]: "Ana"})
    lines = [" ".join(line.split()) for line in told.splitlines() if line.strip()]
    assert lines[:5] == [
        "Noa",
        "Player: Ana · Status: Fit to fight · Overdrive: 3 (Spent: 1) · Fatal counter: 2/6 (Next saved on: 4) ·",
        "Tactical points: 0",
        "Abilities",
        "Stats Agility 4, Will 2",
    ]
    assert "│ Attack │ Agility │ 5 │ 5 │" in lines
    assert "│ Gull │ Aboard, Attributes: Speed 3, Mode of the mech: Normal mode │" in lines


def test_a_sheet_of_the_service_is_drawn_without_any_name_that_only_programs_use(table: Table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    pilot = table.act(table.player, "frame_state.create_pilot", name="Otto")["events"][0]["pilot_id"]
    table.act(table.player, "frame_state.create_unit", kind="frame", name="Heron")
    table.act(table.player, "frame_state.allocate_point", category="skills", attribute="smarts")
    words = msgspec.convert(table.gm.client.get("/api/words", params={"lang": "fr"}).json(), WordList)
    read = table.gm.get(f"{table.path}/sheets/{pilot}").json()
    told = printed(words, "FrameStatePilotSheetView", read["sheet"], read["names"])
    assert "Joueur\u00a0: Mara · Frame actif\u00a0: Heron · Crédits\u00a0: 100" in told
    assert "Acuité d4, Astuce d6, Synergie d4" in told
    assert [raw for raw in ("_", "None", "frame-", "pilot-") if raw in told] == []
