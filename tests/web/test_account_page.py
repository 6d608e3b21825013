"""`/account`: sign-ins, language, password."""

from tests.services.conftest import PASSWORD, Person, table_at
from tests.web.browser import Browser, errors_of
from tests.web.html_page import Element, page_of


def paths_of_forms(page: Element, part: str) -> list[str]:
    return [path for each in page.all("form") if part in (path := each.attributes["action"])]


def test_every_sign_in_is_listed_and_can_be_ended(client):
    Person(client, "Ana")
    phone, desk = Browser(client).sign_in("Ana"), Browser(client).sign_in("Ana")
    page = desk.page("/account")
    [end] = [
        each.attributes["action"]
        for each in page.all("form")
        if "/sign-ins/" in each.attributes["action"] and "others" not in each.attributes["action"]
    ]
    assert "That sign-in has ended." in desk.post(end).text
    assert phone.page("/").one("h1").text == "A logbook for long campaigns"
    assert desk.page("/").one("h1").text == "Your campaigns"
    assert desk.post(end).status_code == 404


def test_all_other_sign_ins_end_at_once(client):
    Person(client, "Ana")
    others = [Browser(client).sign_in("Ana") for _ in range(3)]
    desk = Browser(client).sign_in("Ana")
    desk.post("/account/sign-ins/end-others")
    assert {each.page("/").one("h1").text for each in others} == {"A logbook for long campaigns"}
    assert desk.page("/account").one("h1").text == "Your account"


def test_a_token_of_a_program_can_be_ended(client):
    ana = Person(client, "Ana")
    browser = Browser(client).sign_in("Ana")
    [end] = [
        each.attributes["action"]
        for each in browser.page("/account").all("form")
        if "/programs/" in each.attributes["action"]
    ]
    browser.post(end)
    assert ana.get("/accounts/me").status_code == 401


def test_a_chosen_language_goes_before_the_browsers(client):
    Person(client, "Ana")
    browser = Browser(client, "en").sign_in("Ana")
    page = page_of(browser.post("/account/language", language="fr").text)
    assert page.one("html").attributes["lang"] == "fr"
    assert page.one("h1").text == "Votre compte"
    assert browser.post("/account/language", language="tlh").status_code == 422


def test_a_password_is_changed_with_the_old_one_only(client):
    Person(client, "Ana")
    other, browser = Browser(client).sign_in("Ana"), Browser(client).sign_in("Ana")
    wrong = browser.post("/account/password", password="not this", new_password="another horse")
    assert errors_of(page_of(wrong.text)) == {"password": "That is not your password."}
    short = browser.post("/account/password", password=PASSWORD, new_password="horse")
    assert list(errors_of(page_of(short.text))) == ["new_password"]
    assert (
        "Your password is changed"
        in browser.post("/account/password", password=PASSWORD, new_password="another horse").text
    )
    assert other.page("/").one("h1").text == "A logbook for long campaigns"
    assert Browser(client).post("/sign-in", name="Ana", password=PASSWORD).status_code == 422


def test_who_deleted_the_account_can_keep_it(client):
    ana = Person(client, "Ana")
    assert ana.send("DELETE", "/accounts/me", json={"password": PASSWORD}).status_code == 202
    browser = Browser(client).sign_in("Ana")
    assert "will be deleted on" in browser.page("/account").text
    assert "will be deleted on" in browser.page("/").text
    assert "Your account stays." in browser.post("/account/keep").text
    assert "will be deleted on" not in browser.page("/").text


def test_an_account_is_deleted_with_its_password_once_its_campaigns_are_in_other_hands(client):
    table = table_at(client)
    browser = Browser(client).sign_in("Ana")
    assert "For 14 days you can sign in again" in browser.page("/account/delete").text
    wrong = page_of(browser.post("/account/delete", password="not this", erase_texts="yes").text)
    assert errors_of(wrong) == {"password": "That is not your password."}
    assert wrong.one("input", name_="erase_texts").attributes["checked"] == ""
    led = page_of(browser.post("/account/delete", password=PASSWORD).text)
    assert "You are the only GM of campaigns" in led.one("p", role="alert").text
    assert led.one("a", href=f"/c/{table.campaign_id}/members").text == "Hand over “Iron Rain”"
    browser.post(f"/c/{table.campaign_id}/members/{table.player.account_id}/handover", stay_as="player")
    gone = browser.post("/account/delete", password=PASSWORD)
    assert browser.at == "/sign-in?ended=deleted"
    assert "your account is going to be deleted" in gone.text
    assert browser.cookies == {}
    assert table.gm.get("/accounts/me").status_code == 401
    assert "will be deleted on" in Browser(client).sign_in("Ana").page("/account").text


def test_all_words_are_erased_after_a_page_that_says_what_that_means(client):
    Person(client, "Ana")
    browser = Browser(client).sign_in("Ana")
    assert "Nothing brings these words back." in browser.page("/account/erase-words").text
    page = page_of(browser.post("/account/erase-words").text)
    assert page.one("p", role="status").text == "Everything that you wrote is going to be erased."
    assert "Your words are being erased: 0 texts so far." in page.text


def test_what_is_kept_about_an_account_comes_as_a_file(client):
    table = table_at(client)
    table.gm.post("/campaigns", {"name": "Gone", "systems": ["angst"]})
    gone = next(each for each in table.gm.get("/campaigns").json()["campaigns"] if each["name"] == "Gone")
    table.gm.send("DELETE", f"/campaigns/{gone['campaign_id']}", json={"name": "Gone"})
    browser = Browser(client).sign_in("Ana")
    file = browser.get(browser.page("/account").one("a", download="").attributes["href"])
    assert file.headers["content-disposition"] == 'attachment; filename="fieldlog-account.json"'
    data = file.json()
    assert data["account"] == table.gm.get("/accounts/me").json()
    assert [(each["kind"], each["label"]) for each in data["sign_ins"]] == [
        ("session", "browser, Firefox on Android"),
        ("token", "first"),
    ]
    [campaign] = data["campaigns"]
    assert (campaign["name"], campaign["your_role"]) == ("Iron Rain", "gm")
    assert browser.get(campaign["export"]).status_code == 200
    assert [each["name"] for each in data["deleted_campaigns"]] == ["Gone"]


def test_another_name_is_taken_with_the_password_and_faults_stand_beside_their_fields(client):
    table = table_at(client)
    mara = Browser(client).sign_in("Mara")
    page = mara.page("/account")
    form = page.one("form", action="/account/name")
    assert form.one("input", name="name").attributes["value"] == "Mara"
    wrong = mara.post("/account/name", name="Rita", own_password="not it at all")
    assert wrong.status_code == 422
    assert errors_of(page_of(wrong.text)) == {"own_password": "That is not your password."}
    assert page_of(wrong.text).one("input", id="name").attributes["value"] == "Rita"
    assert "not it at all" not in wrong.text
    taken = mara.post("/account/name", name="Ana", own_password=PASSWORD)
    assert errors_of(page_of(taken.text)) == {
        "name": "Another person goes by that name: please choose another one."
    }
    short = mara.post("/account/name", name="R", own_password=PASSWORD)
    assert errors_of(page_of(short.text)) == {"name": "A name has 2 to 40 characters."}
    done = mara.post("/account/name", name="Rita", own_password=PASSWORD)
    assert "You are called by your new name now" in done.text
    assert page_of(done.text).one("header", class_="site-head").text.endswith("Rita")
    assert "Rita" in Browser(client).sign_in("Ana").page(f"/c/{table.campaign_id}").text
    assert Browser(client).sign_in("Rita").page("/account").one("h1").text == "Your account"
