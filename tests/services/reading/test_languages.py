"""A campaign that is told in French, over HTTP."""

from tests.services.conftest import Person, Table
from tests.services.live_api import eventually
from tests.services.pilots import earn_and_spend, mara, with_pilot
from tests.services.timers import POISON, board, schedule
from tests.services.undoing import undo

__all__ = ["mara"]


def french(table: Table) -> None:
    answer = table.act(table.gm, "campaign.set_setting", key="campaign.language", value="fr")
    assert answer["summary"] == [
        (
            "Un paramètre a changé. La langue du groupe\u00a0: ce qui s\u2019est passé, les tableaux et les "
            "refus. Désormais\u00a0: français"
        )
    ]


def test_what_happened_is_told_in_the_language_of_the_campaign(table: Table):
    with_pilot(table)
    french(table)
    began = table.act(table.gm, "campaign.start_session", title="Le barrage")
    assert (
        began["summary"][0] == "La séance 1, «\u00a0Le barrage\u00a0», commence\u202f; présents\u00a0: Ana, Mara"
    )
    table.act(table.gm, "campaign.add_note", text="La pluie tombe.")
    latest = table.player.get(f"{table.path}/actions", params={"limit": 500}).json()["actions"][-1]
    assert latest["summary"] == ["Note\u00a0: La pluie tombe."]
    recap = table.player.get(f"{table.path}/recap").json()
    assert recap["text"].splitlines()[1] == "À la table\u00a0: Ana, Mara"
    assert recap["parts"][0]["title"] == "À la table"


def test_luck_is_told_in_the_language_of_the_campaign(table: Table):
    french(table)
    table.act(table.player, "campaign.roll", notation="2d6")
    [person] = table.player.get(f"{table.path}/statistics").json()["people"]
    assert person["dice"][0]["height"]["words"] == "trop peu de jets pour le dire (2 sur au moins 30)"


def test_a_campaign_may_begin_in_french(table: Table):
    founded = table.gm.post(
        "/campaigns", {"name": "Sel", "systems": ["overdrive"], "settings": {"campaign.language": "fr"}}
    ).json()["campaign_id"]
    chronicle = table.gm.get(f"/campaigns/{founded}/actions").json()["actions"]
    assert chronicle[0]["summary"][0].startswith("Ana fonde «\u00a0Sel\u00a0», qui se joue avec")


def test_settings_are_explained_in_the_language_of_the_campaign(table: Table):
    founded = {"name": "Sel", "systems": ["mobile_frame", "overdrive"], "settings": {"campaign.language": "fr"}}
    campaign = table.gm.post("/campaigns", founded).json()["campaign_id"]
    helps = {each["key"]: each["help"] for each in table.gm.get(f"/campaigns/{campaign}").json()["settings"]}
    assert helps["overdrive.reset_on_failure"] == "Indique si une stabilisation ratée vide le compteur de phase."
    assert helps["mobile_frame.doomsday_start"] == "Valeur de départ du compte à rebours."
    assert all(helps.values())


def test_refusals_are_told_in_the_language_of_the_campaign_and_keep_their_codes(table: Table):
    french(table)
    stale = table.try_to(table.gm, "campaign.end_session", headers={"If-Match": '"1"'})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale_if_match")
    assert stale.json()["detail"].startswith("La campagne en est à ")
    nobody = table.try_to(table.gm, "campaign.end_session").json()
    assert (nobody["code"], nobody["detail"]) == ("no_session", "Aucune séance n\u2019est en cours.")
    notation = table.try_to(table.gm, "campaign.roll", notation="d6+").json()["detail"]
    assert notation == "À la colonne 4, on attendait\u00a0: un nombre, un dé comme d6 ou une parenthèse."
    told = table.gm.get(f"{table.path}/sheets/nobody")
    assert told.json()["detail"] == "Aucun personnage de cette campagne ne porte cet identifiant."
    assert table.gm.get(f"{table.path}/recap").json()["detail"].startswith("Aucune séance")
    table.act(table.gm, "campaign.set_setting", key="campaign.language", value=None)
    assert table.try_to(table.gm, "campaign.end_session").json()["detail"] == "No play session is running."


def test_who_is_no_member_cannot_tell_from_the_language_that_there_is_a_campaign(table: Table):
    french(table)
    stranger = Person(table.gm.client, "Zoe")
    there = stranger.post(f"{table.path}/actions", {"command": {"type": "campaign.end_session"}})
    nowhere = stranger.post(
        "/campaigns/00000000-0000-4000-8000-000000000000/actions", {"command": {"type": "campaign.end_session"}}
    )
    assert there.status_code == 404
    assert there.json() == nowhere.json()


def test_there_is_no_other_language(table: Table):
    assert table.refused(table.gm, "campaign.set_setting", key="campaign.language", value="xx") == (
        422,
        "setting_invalid",
    )


def test_a_refusal_that_quotes_another_is_in_one_language(table: Table, mara: str):
    earned, bought = earn_and_spend(table, mara)
    french(table)
    refused = undo(table, table.gm, earned).json()
    assert refused["detail"] == "1 action ultérieure en dépend\u202f; avec cascade, elle part aussi."
    [dependent] = refused["details"]["dependents"]
    assert dependent["refusal"] == "Cela coûte 900 crédits, et Mara n\u2019en a que 100."
    undo(table, table.gm, bought)
    undo(table, table.gm, earned)
    again = undo(table, table.gm, bought, "redo").json()
    assert (again["code"], again["detail"]) == (
        "redo_refused",
        "Ce n\u2019est plus possible\u00a0: Cela coûte 900 crédits, et Mara n\u2019en a que 100.",
    )


def test_why_a_timer_failed_and_what_its_undo_is_answered_are_in_the_language_of_the_campaign(table: Table):
    french(table)
    schedule(table, "Pension", effect=POISON)
    schedule(table, "Loyer")
    table.act(table.gm, "campaign.advance_calendar", by={"days": 2})
    assert eventually(lambda: board(table.gm, table)[0]["state"] == "failing"), "it is counted after the answer"
    [failing] = board(table.gm, table)
    assert (failing["state"], failing["error"]) == (
        "failing",
        "Il n\u2019y a pas encore de pilote\u202f; créez-en d\u2019abord un.",
    )
    chronicle = table.gm.get(f"{table.path}/actions").json()["actions"]
    [fired] = [each["action_id"] for each in chronicle if each["cause"].startswith("action:")]
    refused = undo(table, table.gm, fired).json()
    assert refused["detail"].startswith("Cela s\u2019est produit tout seul")
    assert refused["details"]["summary"] == ["Programmé\u00a0: «\u00a0Loyer\u00a0»"]
