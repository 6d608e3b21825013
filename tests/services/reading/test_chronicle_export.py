"""`…/chronicle/export`: the chronicle as plain text and as a vault of Markdown notes."""

import re
from typing import Any

import pytest

from tests.chronicle_readers import front_matter, notes, text_of
from tests.services.conftest import Person, Table
from tests.services.hiding import hidden
from tests.services.pilots import with_pilot

NAMES = (
    *("1:30", "007", "no", "1e3", "2187-03-01", "~", "null", "0x1F", "0o17", "1_000", "yes", ".inf", "=", "<<"),
    *("- x", "# y", "a: b", "[x]", "{x}", "*x*", "_x_", "`x`", "<b>x</b>", "&amp;", "!x", "%x", "| x", "> x"),
    *("1. x", "1) x", "+ x", "[[x]]", "x|y", "x#y", "x^y", "~~x~~", "==x==", "$x$", "%%x%%", "---", "===", ": x"),
    *("CON", "nul.txt", "x/y", "x\\y", "x?", "x.", "X?", "\\*x\\*", '"x"', "'x'", "https://x.example/", "@x"),
    *("www.x.example", "\N{PILE OF POO}", "\N{RIGHT-TO-LEFT OVERRIDE}x"),
    *("\N{LATIN SMALL LETTER E WITH ACUTE}", "e\N{COMBINING ACUTE ACCENT}"),
)
"""Names that some reader takes for something else."""


def export(table: Table, who: Person, file_format: str = "markdown", **query: Any) -> Any:
    answer = who.get(f"{table.path}/chronicle/export", params={"format": file_format, **query})
    assert answer.status_code == 200, answer.text
    return answer


def test_names_stay_names_whoever_reads_them(table):
    with_pilot(table)
    for name in NAMES:
        table.act(table.player, "frame_state.create_pilot", name=name)
        table.act(table.gm, "campaign.add_note", text=f"{name}\n{name}")
    vault = notes(export(table, table.gm).content)
    found = {front_matter(note)["name"] for path, note in vault.items() if path.startswith("Characters/")}
    assert found == {*NAMES, "Mara Voss"}
    for path, note in vault.items():
        body = note.split("---\n", 2)[2]
        shown = text_of(re.sub(r"\[\[.*?\]\]\n", "a link\n", body))
        if path.startswith("Play sessions/"):
            assert all(f"Note: {name}\n{name}\n" in shown for name in NAMES)
        elif path.startswith("Characters/"):
            assert shown.strip().splitlines()[0] == front_matter(note)["name"]


def test_files_have_names_that_every_system_takes_and_links_lead_to_one_each(table):
    with_pilot(table)
    for name in NAMES:
        table.act(table.player, "frame_state.create_pilot", name=name)
    vault = notes(export(table, table.gm).content)
    stems = [path.removesuffix(".md").rpartition("/")[2] for path in vault]
    assert len({stem.casefold() for stem in stems}) == len(stems)
    for stem in stems:
        assert not re.search(r'[<>:"/\\|?*#^\[\]\x00-\x1f]|[. ]$|^[. ]', stem), stem
        assert stem.partition(".")[0].casefold() not in ("con", "nul")
    for note in vault.values():
        assert {f"{link}.md" for link in re.findall(r"\[\[(.*?)\]\]\n", note)} <= vault.keys()
    links = re.findall(r"\[\[(.*?)\]\]\n", vault["Iron Rain.md"])
    assert sorted(f"{link}.md" for link in links) == sorted(vault.keys() - {"Iron Rain.md"})


def test_play_sessions_and_characters_lead_to_each_other(table):
    pilot = with_pilot(table)
    table.act(table.gm, "campaign.start_session", title="The dam: part 1")
    told = table.act(table.player, "campaign.roll", notation="3d6", label="Luck")
    vault = notes(export(table, table.gm).content)
    assert [*vault] == [
        "Iron Rain.md",
        "Play sessions/000 Before the first play session.md",
        "Play sessions/001 The dam part 1.md",
        "Characters/Mara Voss.md",
    ]
    properties = front_matter(vault["Play sessions/001 The dam part 1.md"])
    assert (properties["number"], properties["title"]) == (1, "The dam: part 1")
    assert properties["as_of"] == table.seq()
    session = text_of(vault["Play sessions/001 The dam part 1.md"].split("---\n", 2)[2])
    assert told["summary"][0] in session
    mara = vault["Characters/Mara Voss.md"]
    assert front_matter(mara)["id"] == pilot
    assert "[[Play sessions/000 Before the first play session]]" in mara
    assert "[[Characters/Mara Voss]]" in vault["Play sessions/000 Before the first play session.md"]


def test_the_text_says_everything_that_its_reader_may_know_and_as_of_when(table):
    with_pilot(table)
    table.act(table.gm, "campaign.add_note", text="First line.\n\nSecond line.")
    undone = table.act(table.gm, "campaign.add_note", text="a mistake")["action_id"]
    table.gm.post(f"{table.path}/actions/{undone}/undo", {})
    text = export(table, table.player, "text").text
    assert f"The chronicle of Iron Rain as of no. {table.seq()}, as far as its reader may know it." in text
    assert "    Note: First line.\n    Second line.\n" in text
    actions = table.player.get(f"{table.path}/actions", params={"limit": 500}).json()["actions"]
    told = {line.strip() for line in text.splitlines()}
    assert {
        part.strip() for each in actions for line in each["summary"] for part in line.splitlines() if part
    } <= told
    assert len(re.findall(r"· undone\n    Note: a mistake\n", text)) == 1
    past = export(table, table.player, "text", at=str(table.seq() - 2)).text
    assert "· undone" not in past


@pytest.mark.parametrize("file_format", ["markdown", "text"])
def test_secrets_are_in_the_chronicle_of_those_who_know_them(table, file_format):
    with_pilot(table)
    hidden(table, "campaign.add_note", text="The traitor is Ben.")
    told = []
    for who in (table.gm, table.player):
        content = export(table, who, file_format).content
        told.append("".join(notes(content).values()) if file_format == "markdown" else content.decode())
    assert ["The traitor is Ben" in text for text in told] == [True, False]
    stranger = Person(table.gm.client, "Nobody")
    refused = stranger.get(f"{table.path}/chronicle/export", params={"format": file_format})
    assert (refused.status_code, refused.json()["code"]) == (404, "campaign_not_found")


def test_the_same_chronicle_is_the_same_file_and_an_empty_one_is_a_file_as_well(table):
    first, second = (export(table, table.gm) for _ in range(2))
    assert first.content == second.content
    assert first.headers["content-type"] == "application/zip"
    assert first.headers["content-disposition"] == 'attachment; filename="chronicle.zip"'
    assert export(table, table.gm, "text", at="1").text.startswith("Iron Rain\n")
