"""The description of an item is personal text: it can be erased everywhere at once."""

from typing import Any

from tests.services.conftest import Table, whole

HUM, PLATES = "It hums, and people look.", "Plates of a dead courier."
PAGES = ("/events", "/actions", "/export", "")


def test_the_words_of_a_description_are_erased_everywhere(table: Table) -> None:
    gm, kai = table.gm, table.player
    answer = gm.post("/campaigns", {"name": "The lift", "systems": ["freefall"]})
    inner = Table(gm, kai, answer.json()["campaign_id"])
    code = gm.post(f"{inner.path}/invites", {"role": "player"}).json()["code"]
    assert kai.post(f"/invites/{code}/accept").status_code == 201
    permanents = {"body": 12, "mind": 8, "ghost": 6}
    created = inner.act(kai, "freefall.create_character", name="Kai", permanents=permanents, **{"class": "Runner"})
    character = created["events"][0]["character"]

    def describe(command: str, **fields: Any) -> str:
        return str(inner.act(gm, f"freefall.{command}", character=character, **fields)["action_id"])

    def read() -> str:
        pages = (*PAGES, f"/sheets/{character}")
        return "".join(kai.get(inner.path + page, params=whole(page)).text for page in pages)

    added = describe("add_gear", item={"name": "Deck", "description": HUM})
    assert HUM in read()
    described = describe("describe_gear", item="Deck", description=PLATES)
    assert PLATES in read()
    for action in (added, described):
        assert gm.send("DELETE", f"{inner.path}/actions/{action}/texts").json()["texts"] > 0
    assert [words for words in (HUM, PLATES) if words in read()] == []
    [deck] = kai.get(f"{inner.path}/sheets/{character}").json()["sheet"]["gear"].values()
    assert deck["description"] == "erased"
