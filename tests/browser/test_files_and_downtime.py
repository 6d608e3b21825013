"""A campaign goes out to a file and comes in from it with a script, and downtime is reached by keys."""

import gzip
from pathlib import Path
from typing import Any

import pytest

from tests.browser.screen import PHONE, Screen
from tests.services.conftest import Person, Table
from tests.services.live_api import Api
from tests.services.transfers import export, played_at

pytestmark = pytest.mark.slow

PAPER = {"width": 658, "height": 1016}
"""What is printed of A4 within its margins, in pixels of the stylesheet."""
ON_PHONE: dict[str, Any] = {**PHONE}


@pytest.fixture
def played(running: Api) -> Table:
    gm, player = Person(running.client, "Ana of files"), Person(running.client, "Mara of files")
    campaign = gm.post("/campaigns", {"name": "Iron Rain", "systems": ["frame_state"]}).json()["campaign_id"]
    code = gm.post(f"/campaigns/{campaign}/invites", {"role": "player"}).json()["code"]
    assert player.post(f"/invites/{code}/accept").status_code == 201
    return played_at(Table(gm, player, campaign))


def posted(table: Table) -> None:
    """Let the bank be paid by a patron."""
    said = {"currency": "credits", "debit": "world:patron", "credit": "bank", "new": True}
    table.act(table.gm, "campaign.post_entry", amount=40, reason="a job " * 12, **said)


def test_a_file_that_was_looked_at_is_brought_without_choosing_it_again(
    chrome: Any, running: Api, played: Table, tmp_path: Path
):
    file = tmp_path / "campaign.ndjson.gz"
    file.write_bytes(gzip.compress(export(played, played.gm)))
    Person(running.client, "Noor of files")
    screen = Screen(chrome, running, "Noor of files", **ON_PHONE)
    page = screen.page
    page.goto(f"{screen.base}/bring")
    page.set_input_files("#file", str(file))
    page.get_by_role("button", name="See what is in it").click()
    page.get_by_role("heading", name="What is in it").wait_for()
    assert page.evaluate("document.activeElement.id") == "in-it"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.fill("#account-1", "Nemo")
    page.get_by_role("button", name="Bring this campaign").click()
    page.get_by_text("There is no account called Nemo.").wait_for()
    assert page.input_value("#account-1") == "Nemo"
    page.fill("#account-1", "")
    page.fill("#name", "Iron Rain again")
    page.get_by_role("button", name="Bring this campaign").click()
    page.get_by_role("heading", name="Iron Rain again").first.wait_for()
    assert "/c/" in page.url
    assert [each for each in screen.wrong if "422" not in each] == []
    screen.close()


def test_a_download_says_when_it_is_whole(chrome: Any, running: Api, played: Table):
    screen = Screen(chrome, running, "Ana of files", accept_downloads=True)
    page = screen.page
    page.goto(f"{screen.base}/c/{played.campaign_id}/files")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download it as a file").click()
    content = Path(download.value.path()).read_bytes()
    assert content.startswith(b'{"')
    assert download.value.suggested_filename == f"{played.campaign_id}.ndjson"
    page.get_by_text("Done.").wait_for()
    assert screen.wrong == []
    screen.close()


@pytest.mark.parametrize("of", ["book", "money/bank"])
def test_every_sheet_of_paper_ends_with_its_moment_and_hash(chrome: Any, running: Api, played: Table, of: str):
    posted(played)
    screen = Screen(chrome, running, "Ana of files")
    page = screen.page
    page.goto(f"{screen.base}/c/{played.campaign_id}/{of}")
    page.emulate_media(media="print")
    page.set_viewport_size(PAPER)
    foot, main = page.locator(".printed"), page.locator("main")
    assert foot.is_visible()
    assert foot.evaluate("each => getComputedStyle(each).position") == "fixed", "it comes again on each"
    assert main.evaluate("each => getComputedStyle(each).boxDecorationBreak") == "clone", "so does the room for it"
    room = main.evaluate("each => parseFloat(getComputedStyle(each).paddingBottom)")
    assert foot.evaluate("each => each.offsetHeight") <= room, "it stands on no text"
    assert screen.wrong == []
    screen.close()


def test_a_statement_has_the_width_of_its_paper(chrome: Any, running: Api, played: Table):
    posted(played)
    screen = Screen(chrome, running, "Ana of files")
    page = screen.page
    page.goto(f"{screen.base}/c/{played.campaign_id}/money/bank")
    page.emulate_media(media="print")
    page.set_viewport_size(PAPER)
    main, drawn = (page.locator(each).bounding_box() for each in ("main", "table.statement"))
    assert drawn["width"] == pytest.approx(main["width"], abs=1)
    totals = page.locator("table.totals").bounding_box()
    assert totals["y"] > drawn["y"] + drawn["height"], "what was added up stands below"
    assert not page.get_by_role("link", name="Download this statement").is_visible()
    assert screen.wrong == []
    screen.close()


def test_downtime_is_a_key_away_and_its_drawing_fits_a_phone(chrome: Any, running: Api, played: Table):
    pilot = played.gm.get(f"{played.path}/sheets").json()["sheets"][0]["character"]
    played.act(played.gm, "campaign.start_downtime", span={"days": 20})
    said = {"character": pilot, "kind": "train", "title": "Knife work", "takes": {"days": 9}}
    played.act(played.gm, "campaign.plan_activity", **said)
    screen = Screen(chrome, running, "Ana of files")
    page = screen.page
    page.goto(f"{screen.base}/c/{played.campaign_id}/table")
    page.keyboard.press("g")
    page.keyboard.press("d")
    page.wait_for_url("**/downtime")
    assert page.locator(".wide-only svg").is_visible()
    assert not page.locator(".narrow-only svg").is_visible()
    phone = Screen(chrome, running, "Ana of files", **ON_PHONE)
    phone.page.goto(page.url)
    drawn, told = (phone.page.locator(each).bounding_box() for each in (".narrow-only svg", ".times table"))
    assert told["y"] < drawn["y"], "a phone tells first, and draws then"
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert screen.wrong + phone.wrong == []
    screen.close()
    phone.close()
