"""A question to the GM is answered before those who read it, and its words can be erased."""

from typing import Any

import pytest

from tests.services.conftest import Person, Table, whole

QUESTION, ANSWER = "Is the dockmaster one of them?", "He has been since the flood."
PAGES = ("/events", "/actions", "/export", "")


class Evening(Table):
    """Mara asks; Olaf sits beside her."""

    def __init__(self, table: Table, system: str = "overdrive") -> None:
        gm, mara = table.gm, table.player
        answer = gm.post("/campaigns", {"name": "The flood", "systems": [system]})
        super().__init__(gm, mara, answer.json()["campaign_id"])
        self.olaf = Person(gm.client, "Olaf")
        for person in (mara, self.olaf):
            code = gm.post(f"{self.path}/invites", {"role": "player"}).json()["code"]
            assert person.post(f"/invites/{code}/accept").status_code == 201
        self.mara = mara
        created = self.act(mara, "overdrive.create_character", name="Mara", od_start=5)
        self.character = created["events"][0]["character_id"]

    def ask(self, who: Person, command: str, visibility: str, **fields: Any) -> Any:
        body = {"command": {"type": f"overdrive.{command}", **fields}, "visibility": visibility}
        return who.post(f"{self.path}/actions", body)

    def questions(self, who: Person) -> list[tuple[str, str | None]]:
        """The questions on Mara's sheet, as somebody reads it."""
        found = who.get(f"{self.path}/sheets/{self.character}").json()["sheet"]["questions"]
        return [(each["text"], each["answer"]) for each in found]

    def pages(self, who: Person) -> str:
        boards = [f"/sheets/{self.character}", "/boards/overdrive/story"]
        return "".join(who.get(self.path + page, params=whole(page)).text for page in (*PAGES, *boards))


@pytest.fixture
def evening(table: Table) -> Evening:
    return Evening(table)


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("answered", ["all", "gm"])
def test_a_hidden_question_is_answered_before_who_asked_it_whatever_the_gm_says(evening, answered, named):
    question = evening.ask(evening.mara, "ask_question", "gm", text=QUESTION).json()["events"][1]["question_id"]
    [entry] = evening.gm.get(f"{evening.path}/commands").json()["waiting"]
    assert entry["command"]["type"] == "overdrive.answer_question"
    fields = {"question": question} if named else {}
    answer = evening.ask(evening.gm, "answer_question", answered, text=ANSWER, **fields)
    assert answer.status_code == 201, answer.text
    for reader in (evening.gm, evening.mara):
        assert evening.questions(reader) == [(QUESTION, ANSWER)]
        assert ANSWER in evening.pages(reader)
    assert evening.questions(evening.olaf) == []
    read = evening.pages(evening.olaf)
    assert [word for word in (QUESTION, ANSWER, question, "answer_question") if word in read] == []


def test_an_open_question_is_answered_openly(evening):
    question = evening.ask(evening.mara, "ask_question", "all", text=QUESTION).json()["events"][1]["question_id"]
    refused = evening.ask(evening.gm, "answer_question", "gm", text=ANSWER, question=question)
    assert (refused.status_code, refused.json()["code"]) == (422, "subject_is_open")
    assert evening.ask(evening.gm, "answer_question", "all", text=ANSWER, question=QUESTION).status_code == 201
    assert evening.questions(evening.olaf) == [(QUESTION, ANSWER)]


def test_the_words_of_an_answer_can_be_erased_and_its_question_stays_answered(evening):
    assert evening.ask(evening.mara, "ask_question", "all", text=QUESTION).status_code == 201
    answer = evening.ask(evening.gm, "answer_question", "all", text=ANSWER).json()["action_id"]
    erased = evening.gm.send("DELETE", f"{evening.path}/actions/{answer}/texts")
    assert (erased.status_code, erased.json()["texts"] > 0) == (200, True)
    for reader in (evening.gm, evening.mara, evening.olaf):
        assert evening.questions(reader) == [(QUESTION, "erased")]
        assert ANSWER not in evening.pages(reader)
    assert evening.gm.get(f"{evening.path}/commands").json()["waiting"] == []
