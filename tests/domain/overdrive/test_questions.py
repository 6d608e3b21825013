"""A question costs its character Overdrive, and has a place for the GM's answer (OD-17)."""

import pytest

from domain.systems.overdrive import OVERDRIVE, gm_questions
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.settings import Settings
from projections.narration import narrate
from projections.systems.overdrive.sheet import sheet
from tests.domain.overdrive.table import Table
from tests.domain.plays import undone

ASK, ANSWER = c.AskQuestion(text="Who sent them?"), c.AnswerQuestion(text="The Company.")


@pytest.fixture
def table() -> Table:
    return Table()


def answers_of(table: Table, character: str) -> list[tuple[str, str | None]]:
    """The questions on a character's sheet, with their answers."""
    return [(asked.text, asked.answer) for asked in sheet(table.state, character, Settings()).questions]


def waiting(table: Table) -> list[str]:
    return [each.subject for each in OVERDRIVE.pending(table.state) if each.kind == "answer_question"]


def test_a_question_waits_for_the_gm_and_its_answer_stands_beside_it_on_the_sheet(table):
    mara = table.character("mara")
    [spent, question] = table.do("mara", ASK)
    assert (spent.amount, spent.purpose) == (1, "question")
    assert waiting(table) == [question.question_id]
    assert answers_of(table, mara) == [("Who sent them?", None)]
    [answer] = table.do("gm", ANSWER)
    assert (answer.question_id, answer.character) == (question.question_id, mara)
    assert waiting(table) == []
    assert answers_of(table, mara) == [("Who sent them?", "The Company.")]


def test_an_answer_is_told_with_its_question_as_long_as_that_is_remembered(table):
    table.character("mara")
    table.do("mara", ASK)
    [answer] = table.do("gm", ANSWER)
    assert narrate([answer], table.called, "en") == [
        "Mara asked “Who sent them?”, and the GM answered: The Company."
    ]
    table.state.questions = []
    assert narrate([answer], table.called, "en") == ["The GM answered a question of Mara: The Company."]


def test_a_gm_alone_answers_an_open_question_once(table):
    table.character("mara")
    assert table.refusal("gm", ANSWER) == "no_question"
    first, second = (table.do("mara", ASK)[-1].question_id for _ in range(2))
    assert table.refusal("mara", ANSWER) == "not_the_gm"
    assert table.refusal("gm", ANSWER) == "which_question"
    table.do("gm", c.AnswerQuestion(text="The Company.", question=first))
    assert table.refusal("gm", c.AnswerQuestion(text="Nobody.", question=first)) == "question_answered"
    assert table.refusal("gm", c.AnswerQuestion(text="Nobody.", question="question-0")) == "unknown_question"
    table.do("gm", ANSWER)
    assert [question.answer for question in table.state.questions] == ["The Company."] * 2
    assert second == table.state.questions[1].question_id


def test_the_answer_goes_with_its_question_and_a_question_without_its_answer_is_open_again(table):
    table.character("mara")
    table.do("mara", ASK)
    table.do("gm", ANSWER)
    table.do("mara", ASK)
    table.do("gm", ANSWER)
    question, answer = len(table.actions) - 4, len(table.actions) - 3
    assert undone("overdrive", table, question) == {question, answer}
    assert undone("overdrive", table, answer) == {answer}


def test_a_question_of_an_old_log_waits_for_nothing(table):
    mara = table.character("mara")
    table.happened([e.QuestionAsked(mara, "Who sent them?")])
    assert (table.state.questions, waiting(table)) == ([], [])


def test_a_sheet_keeps_the_last_answers_and_every_open_question(table):
    mara = table.character("mara", od=40)
    for nth in range(gm_questions.ANSWERED_MAX + 3):
        table.do("mara", c.AskQuestion(text=f"{nth}?"))
        if nth > 0:
            table.do("gm", c.AnswerQuestion(text="Yes.", question=table.state.questions[-1].question_id))
    remembered = answers_of(table, mara)
    assert remembered[0] == ("0?", None)
    assert [text for text, answer in remembered[1:] if answer == "Yes."] == [f"{nth}?" for nth in range(3, 13)]


def test_no_more_questions_are_asked_than_a_gm_can_keep_in_mind(table):
    mara = table.character("mara", od=40)
    table.character("jun")
    for _ in range(gm_questions.OPEN_MAX):
        table.do("mara", ASK)
    assert table.refusal("mara", ASK) == "too_many_questions"
    table.do("jun", ASK)
    table.do("gm", c.AnswerQuestion(text="No.", question=table.state.questions[0].question_id))
    table.do("mara", ASK)
    assert len(waiting(table)) == gm_questions.OPEN_MAX + 1
    assert table.state.characters[mara].od.spent == gm_questions.OPEN_MAX + 1


def test_a_long_question_is_named_by_its_beginning_on_one_line(table):
    table.character("mara")
    [_, question] = table.do("mara", c.AskQuestion(text="Who\nsent them? " + "Really? " * 40))
    name = OVERDRIVE.name(table.state, question.question_id)
    assert name is not None
    assert name.startswith("Who sent them? Really?")
    assert (len(name), name[-1]) == (gm_questions.TITLE_MAX, "…")
