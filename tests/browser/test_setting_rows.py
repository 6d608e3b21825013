"""Rows of settings in a browser: they come and go without the page being loaded again."""

import pytest

pytestmark = pytest.mark.slow


def test_rows_of_a_setting_come_and_go_in_place_and_are_saved(screens, table):
    page = screens(table.gm).open("/settings")
    page.evaluate("window.stays = true")
    page.locator("[name='campaign.debt'][value=refused]").check()
    page.locator("details:has([value='add:campaign.chart']) > summary").click()
    page.locator("[value='add:campaign.chart']").click()
    page.locator("[name='campaign.chart.0.account']").fill("crew:chest")
    page.locator("[name='campaign.chart.0.title']").fill("The chest")
    page.locator("[value='add:campaign.chart']").click()
    page.locator("[name='campaign.chart.1.account']").wait_for()
    assert page.locator("[name='campaign.chart.0.title']").input_value() == "The chest"
    assert page.evaluate("document.activeElement.value") == "add:campaign.chart"
    page.locator("[value='drop:campaign.chart.1']").click()
    page.locator("[name='campaign.chart.1.account']").wait_for(state="detached")
    assert page.evaluate("document.activeElement.value") == "add:campaign.chart"
    assert page.evaluate("window.stays"), "the page was not loaded again"
    page.get_by_role("button", name="Save the settings").last.click()
    page.get_by_text("2 settings are changed.").wait_for()
    settings = {each["key"]: each["value"] for each in table.gm.get(table.path).json()["settings"]}
    assert settings["campaign.debt"] == "refused"
    assert [each["title"] for each in settings["campaign.chart"]] == ["The chest"]
