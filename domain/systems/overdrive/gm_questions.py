"""Questions to the GM that cost Overdrive, and their answers (OD-17, OD-C15).

Codes: too_many_questions, no_question, which_question, unknown_question, question_answered.
"""

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.mechanics.omitted_ids import the_one
from domain.rejection import Rejection
from domain.sentences import either, say
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import find_own, require_gm
from domain.systems.overdrive.ledger import spend
from domain.systems.overdrive.state import OverdriveState, Question

OPEN_MAX = 20
"""So many questions of a character may wait for an answer at once."""
ANSWERED_MAX = 10
"""So many answered questions of a character stay on their sheet: the last ones."""
TITLE_MAX = 120
"""So many characters of a question stand for it where it is named."""


def ask_question(state: OverdriveState, context: CommandContext, command: c.AskQuestion) -> list[e.Event]:
    """OD-C15: a question to the GM for 1 Overdrive."""
    character = find_own(state, context, command.character, "OD-C15")
    waiting = [question for question in open_questions(state) if question.character == character.character_id]
    if len(waiting) >= OPEN_MAX and not context.decided_before:
        raise Rejection(
            "too_many_questions",
            say("{most} questions of {name} wait for an answer already.", most=OPEN_MAX, name=character.name),
            rule="OD-C15",
        )
    return [
        spend(character, 1, "question", "OD-17"),
        e.QuestionAsked(character.character_id, command.text, derive_id("question", context.action_id)),
    ]


def answer_question(
    state: OverdriveState, context: CommandContext, command: c.AnswerQuestion
) -> list[e.QuestionAnswered]:
    """OD-17: the GM answers a question, once."""
    require_gm(context, "OD-17")
    question = _require_open(state, context, command.question)
    return [e.QuestionAnswered(question.question_id, question.character, command.text)]


def _require_open(state: OverdriveState, context: CommandContext, question_id: str | None) -> Question:
    """The open question that a command means: the only one, if it names none."""
    waiting = open_questions(state)
    if question_id is None:
        return the_one(
            context,
            "question",
            waiting,
            code="which_question",
            message=lambda several: say("Which question? {choices}.", choices=either(map(title_of, several))),
            rule="OD-17",
            describe=_choice,
            none=lambda: Rejection("no_question", "No question waits for an answer.", rule="OD-17"),
        )
    question = find_question(state, question_id)
    if question is None:
        raise Rejection(
            "unknown_question",
            "There is no such question here.",
            rule="OD-17",
            choices=[*map(_choice, waiting)],
        )
    if question.answer is not None:
        raise Rejection(
            "question_answered",
            "That question has its answer; to give another one, undo that first.",
            rule="OD-17",
        )
    return question


def open_questions(state: OverdriveState) -> list[Question]:
    """The questions that wait for an answer, in the order in which they were asked."""
    return [
        question
        for question in state.questions
        if question.answer is None and question.character in state.characters
    ]


def title_of(question: Question) -> str:
    """A question on one line, cut where it is long."""
    line = " ".join(question.text.split())
    return line if len(line) <= TITLE_MAX else f"{line[: TITLE_MAX - 1]}…"


def find_question(state: OverdriveState, question_id: str) -> Question | None:
    """The question with this id, open or answered, as long as it is remembered."""
    return next((question for question in state.questions if question.question_id == question_id), None)


def _choice(question: Question) -> dict[str, str]:
    return {"question": question.question_id, "name": title_of(question)}


def question_asked(state: OverdriveState, event: e.QuestionAsked) -> None:
    """Add the question, which waits for its answer."""
    if isinstance(event.question_id, str) and event.character in state.characters:
        state.questions.append(Question(event.question_id, event.character, event.text))


def question_answered(state: OverdriveState, event: e.QuestionAnswered) -> None:
    """Set the answer; of the character's answered questions, the last ones stay."""
    question = find_question(state, event.question_id)
    if question is None:
        return
    question.answer = event.text
    own = [other for other in state.questions if other.character == question.character]
    for oldest in [other for other in own if other.answer is not None][:-ANSWERED_MAX]:
        state.questions.remove(oldest)
