"""The story board of Overdrive: what goes on beside fights, whose word is awaited, and which answers are taken."""

from copy import deepcopy
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.campaign.evolve import evolve
from domain.campaign.settings import settings_of
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import decode_event
from domain.command_context import CommandContext
from domain.ids import AccountId, ActionId
from domain.sentences import Sentence
from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import OverdriveState
from projections.systems.overdrive.sheet import sheet
from projections.systems.overdrive.story_board import story
from tests.domain.overdrive.random_play import SETTINGS, play
from tests.domain.overdrive.table import Table, at
from tests.domain.system_table import kinds, person
from tests.languages.messages import translations, unheard
from tests.scripted_dice import ScriptedDice
from tests.stories.played_story import played as story_played

IN_FRENCH = {**translations("fr", "overdrive"), **translations("fr", "campaign")}
ANSWERS_MAX = 60
"""So many answers end whatever waits: a duel is raised no oftener than there is Overdrive."""


def drawn(state: OverdriveState, house_rules: Settings | None = None, members: Any = None) -> Any:
    board = story(
        state, lambda thing: OVERDRIVE.name(state, str(thing)) or str(thing), house_rules or Settings(), members
    )
    for each in board.waits_for:
        assert isinstance(each.told, Sentence)
        assert unheard(each.told, IN_FRENCH) == set()
    lines = [str(each.told) for each in board.waits_for if not each.optional]
    return {**msgspec.to_builtins(board), "waiting": lines}


def awaited(state: OverdriveState) -> list[tuple[str, str, Any]]:
    return [
        (each["kind"], each["subject"], each["waits_for"])
        for each in drawn(state)["waits_for"]
        if not each["optional"]
    ]


def side(character: str) -> c.DuelistDraft:
    return c.DuelistDraft(character=character, use="stat:will", skill="social")


@pytest.fixture
def table() -> Table:
    return Table()


def test_where_nothing_goes_on_nothing_stands_there(table):
    table.character("mara")
    board = drawn(table.state)
    assert (board["duel"], board["scene"], board["waiting"], board["waits_for"]) == (None, None, [], [])


def test_a_duel_shows_its_rolls_then_totals_turn_stakes_and_reserves(table):
    mara, jun = table.character("mara"), table.character("jun", od=5)
    table.do("mara", c.StartDuel(sides=(side(mara), side(jun)), stakes="the keys"), [2, 3, 6, 6])
    board = drawn(table.state)
    duel = board["duel"]
    assert (duel["phase"], duel["stakes"], duel["turn"]) == ("rolling", "the keys", None)
    assert [(each["name"], each["rolled"], each["successes"]) for each in duel["sides"]] == [
        ("Mara", True, 2),
        ("Jun", False, None),
    ]
    assert (duel["sides"][1]["use"], duel["sides"][1]["skill"]) == ("stat:will", "social")
    assert board["waiting"] == ["Jun rolls for the duel, or backs out"]
    [entry] = board["waits_for"]
    assert (entry["kind"], entry["name"], entry["waits_for"]) == (
        "roll_duel",
        "Jun",
        str(person("jun")),
    )
    assert entry["answers"][0]["command"] == {
        "type": "overdrive.roll_duel",
        "use": "stat:will",
        "skill": "social",
        "character": jun,
    }
    table.do("jun", c.RollDuel(), [6] * 4)
    duel = drawn(table.state)["duel"]
    assert (duel["phase"], duel["turn"], duel["speaker"]) == ("raising", "b", "Jun")
    assert [(each["successes"], each["reserve"]) for each in duel["sides"]] == [(2, 3), (0, 5)]
    assert duel["may_raise"] == {"least": 3, "most": 5}
    board = drawn(table.state)
    assert board["waiting"] == ["Jun spends 3 to 5 Overdrive, or folds"]
    assert [each["command"]["type"].partition(".")[2] for each in board["waits_for"][0]["answers"]] == [
        "duel_raise",
        "duel_raise",
        "duel_fold",
    ]
    table.do("jun", c.DuelRaise(amount=5))
    board = drawn(table.state)
    assert (board["duel"]["may_raise"], board["waiting"]) == (None, ["Mara cannot go further, and folds"])


def test_a_hidden_side_of_a_duel_is_there_and_nothing_more(table):
    mara, jun = table.character("mara"), table.character("jun")
    table.state.characters[jun].hidden, table.state.characters[jun].player_id = True, None
    rolled = table.do("gm", c.MakeRoll(use="stat:will", skill="social", character=jun), [2] * 4)[0]
    known = Table()
    known.state = deepcopy(table.state)
    del known.state.characters[jun]
    known.state.rolls = {}
    hidden = c.DuelistDraft(name="A voice", roll_id=rolled.roll_id)
    for event in table.do("gm", c.StartDuel(sides=(side(mara), hidden)), [6] * 4):
        known.state = OVERDRIVE.evolve(known.state, OVERDRIVE.redact(event))
    for state, numbers in ((table.state, (4, 3)), (known.state, (None, None))):
        voice = drawn(state)["duel"]["sides"][1]
        assert (voice["successes"], voice["reserve"]) == numbers
        assert voice["hidden"] is True
    table.do("mara", c.DuelRaise(amount=3))
    known.do("mara", c.DuelRaise(amount=3))
    assert [each["answers"] for each in drawn(known.state)["waits_for"]] == [[]]
    assert drawn(known.state)["waiting"] == ["A voice goes further, or folds"]


def test_an_open_scene_shows_who_has_rolled_and_who_may(table):
    mara, jun = table.character("mara"), table.character("jun")
    table.do("gm", c.OpenScene(scene="social"))
    table.do("mara", c.CloseScene(scene="social", stat="will", character=mara), [6] * 4)
    board = drawn(table.state)
    assert board["scene"]["kind"] == "social"
    assert [each["name"] for each in board["scene"]["rolled"]] == ["Mara"]
    assert [each["name"] for each in board["scene"]["not_yet"]] == ["Jun"]
    [entry] = board["waits_for"]
    assert (entry["kind"], entry["subject"], entry["optional"]) == ("close_scene", jun, True)
    assert board["waiting"] == []


def test_a_shown_reaction_stands_there_with_its_text_and_weight_until_a_gm_answers(table):
    mara = table.character("mara")
    table.do("mara", c.AskQuestion(text="Who?"))
    table.do("gm", c.AnswerQuestion(text="The Company."))
    table.do("mara", c.PlayReaction(weight="central"))
    board = drawn(table.state)
    [shown] = board["reactions"]
    assert (shown["text"], shown["weight"], shown["recovers"]) == ("Laughs too loudly", "central", 1)
    assert board["waiting"] == [
        "The GM confirms or declines a reaction of Mara (at the heart of the scene): Laughs too loudly"
    ]
    [entry] = board["waits_for"]
    assert (entry["kind"], entry["waits_for"], len(entry["answers"])) == ("play_reaction", None, 4)
    table.do("gm", c.DeclineReaction(character=mara))
    assert drawn(table.state)["reactions"] == []
    assert table.state.characters[mara].od.spent == 1
    table.do("mara", c.PlayReaction(weight="staged"))
    [taken_back] = table.do("mara", c.DeclineReaction())
    assert taken_back.back is True


def test_a_question_waits_for_a_gm_and_stands_there_with_its_answer(table):
    table.character("mara")
    [_, question] = table.do("mara", c.AskQuestion(text="Who sent them?"))
    board = drawn(table.state)
    [waiting] = board["questions"]
    assert (waiting["who"]["name"], waiting["text"], waiting["answer"]) == ("Mara", "Who sent them?", None)
    assert board["waiting"] == ["The GM answers a question of Mara: Who sent them?"]
    [entry] = board["waits_for"]
    assert (entry["kind"], entry["subject"], entry["waits_for"]) == ("answer_question", question.question_id, None)
    assert [(each["command"], each["texts"]) for each in entry["answers"]] == [
        ({"type": "overdrive.answer_question", "text": "…", "question": question.question_id}, ["text"])
    ]
    table.do("gm", c.AnswerQuestion(text="The Company."))
    board = drawn(table.state)
    assert [each["answer"] for each in board["questions"]] == ["The Company."]
    assert board["waits_for"] == []


def test_the_last_answers_stand_before_the_open_questions(table):
    table.character("mara", od=9)
    for nth in range(8):
        table.do("mara", c.AskQuestion(text=f"{nth}?"))
    first_seven = [question.question_id for question in table.state.questions[:7]]
    for question in first_seven:
        table.do("gm", c.AnswerQuestion(text="No.", question=question))
    assert [each["text"] for each in drawn(table.state)["questions"]] == ["2?", "3?", "4?", "5?", "6?", "7?"]


def test_a_held_roll_stands_there_and_its_player_may_buy_a_success(table):
    mara = table.character("mara")
    table.do("mara", c.MakeRoll(use="stat:will", skill="social", difficulty=1, hold=True), [2, 6, 6, 6])
    board = drawn(table.state)
    [held] = board["held_rolls"]
    assert (held["who"]["name"], held["successes"], held["difficulty"], held["may_buy"]) == ("Mara", 1, 1, True)
    assert [(each["kind"], each["waits_for"], each["optional"]) for each in board["waits_for"]] == [
        ("close_roll", None, False),
        ("spend_overdrive_success", str(person("mara")), True),
    ]
    table.do("mara", c.SpendOverdriveSuccess(character=mara))
    assert drawn(table.state)["held_rolls"][0]["may_buy"] is False


def recovering(table: Table) -> str:
    """Mara has 3 successes to mend her wounds with."""
    mara = table.character("mara")
    table.state.characters[mara].fatal = 2
    table.state.characters[mara].skills["biology"] = 3
    table.do("mara", c.OpenScene(scene="care"))
    table.do("mara", c.CloseScene(scene="care", stat="will"), [2, 2, 2, 6])
    return mara


def test_successes_of_a_scene_show_points_and_cap_on_sheet_and_board(table):
    mara = recovering(table)
    left = msgspec.to_builtins(sheet(table.state, mara, Settings()))["recovery"]
    assert (left["points"], left["damage_cap"], left["damage"], left["target_name"]) == (3, 3, 2, "Mara")
    [shown] = drawn(table.state)["recoveries"]
    assert shown["recovery"] == left
    [entry] = drawn(table.state)["waits_for"]
    assert [each["command"]["damage"] for each in entry["answers"]] == [1, 2]


def test_successes_that_were_not_used_are_gone_when_a_fight_begins(table):
    mara = recovering(table)
    table.do("mara", c.SpendRecovery(damage=1))
    table.do("gm", c.StartCombat(participants=[mara], positions={mara: at(1, 2)}))
    assert table.refusal("mara", c.SpendRecovery(damage=1)) == "not_enough_successes"
    table.do("gm", c.EndCombat())
    assert table.refusal("mara", c.SpendRecovery(damage=1)) == "not_enough_successes"
    assert drawn(table.state)["recoveries"] == []
    assert sheet(table.state, mara, Settings()).recovery is None


def test_successes_of_a_roll_that_was_held_until_the_fight_come_too_late(table):
    """To hold a roll is no way round it."""
    mara = table.character("mara")
    table.state.characters[mara].fatal = 2
    table.do("mara", c.OpenScene(scene="care"))
    table.do("mara", c.CloseScene(scene="care", stat="will", hold=True), [1, 6, 6, 6, 6])
    table.do("gm", c.StartCombat(participants=[mara]))
    table.do("gm", c.CloseRoll())
    assert table.refusal("mara", c.SpendRecovery(damage=1)) == "not_enough_successes"
    table.do("gm", c.EndCombat())
    assert table.refusal("mara", c.SpendRecovery(damage=1)) == "not_enough_successes"


def test_what_an_old_log_used_in_a_fight_is_decided_again_as_it_was(table):
    """An undo decides later commands again; a ruling from after them refuses none."""
    mara = recovering(table)
    table.do("gm", c.StartCombat(participants=[mara]))
    context = table.context("mara", c.SpendRecovery(damage=1, character=mara))
    again = msgspec.structs.replace(context, meant_ids=lambda: {mara})
    assert kinds(OVERDRIVE.decide(table.state, again, ScriptedDice([]))) == ["DamageRepaired"]


def test_an_old_duel_in_which_one_player_rolled_for_both_is_decided_again_as_it_was(table):
    mara, jun = table.character("mara"), table.character("jun")
    context = table.context("mara", c.StartDuel(sides=(side(mara), side(jun))))
    rolled = OVERDRIVE.decide(table.state, table.context("gm", context.command), ScriptedDice([6] * 8))
    ids = {each.roll_id for each in rolled if hasattr(each, "roll_id")}
    again = msgspec.structs.replace(context, meant_ids=lambda: ids)
    assert kinds(OVERDRIVE.decide(table.state, again, ScriptedDice([6] * 8))) == [
        "RollMade",
        "RollMade",
        "DuelStarted",
    ]


def test_what_waits_for_a_player_who_has_left_waits_for_a_gm_who_is_told_what_to_do(table):
    mara, jun = table.character("mara"), table.character("jun")
    table.do("mara", c.StartDuel(sides=(side(mara), side(jun))), [6] * 4)
    board = drawn(table.state, members={person("gm"): "gm", person("mara"): "player"})
    [entry] = board["waits_for"]
    assert entry["waits_for"] is None
    assert entry["answers"]
    [told] = board["waiting"]
    assert "a GM answers instead, or hands the character to another member" in told


def test_nothing_waits_for_a_character_who_is_not_there_any_more(table):
    """Their creation was undone, say: boards drop what is about them, and a GM can end their duel."""
    mara, jun = table.character("mara"), table.character("jun")
    table.do("jun", c.PlayReaction(weight="staged", character=jun))
    table.do("jun", c.MakeRoll(use="stat:will", skill="social", hold=True, character=jun), [6] * 4)
    table.do("mara", c.StartDuel(sides=(side(mara), side(jun))), [6] * 4)
    del table.state.characters[jun]
    board = drawn(table.state)
    assert (board["reactions"], board["held_rolls"]) == ([], [])
    assert board["waiting"] == ["Jun is no longer there: the GM folds for them"]
    assert awaited(table.state) == [("duel_fold", table.state.duel.duel_id, None)]
    table.do("gm", c.DuelFold(by="b"))
    assert awaited(table.state) == []


# --- playing from the board alone


def asked_by(waits_for: Any, command: Any, house_rules: Settings, nth: int) -> CommandContext:
    """Whoever it waits for answers; a GM where that is nobody."""
    gm = waits_for is None
    return CommandContext(
        command=command,
        account=AccountId(person("gm")) if gm else AccountId(waits_for),
        role="gm" if gm else "player",
        action_id=ActionId(msgspec.convert(f"00000000-0000-4000-8000-{nth:012d}", type=ActionId)),
        at=0,
        game_time=0,
        settings=house_rules,
    )


def taken(state: OverdriveState, entry: Any, answer: Any, house_rules: Settings, chance: Random, nth: int) -> Any:
    """The state after an answer, which must not be refused."""
    command = msgspec.convert(answer["command"], OVERDRIVE.commands)
    faces = [chance.choice([1, 2, 3, 4, 5, 6]) for _ in range(30)] + [6]
    player = msgspec.convert(entry["waits_for"], AccountId | None) if entry["waits_for"] is not None else None
    events = OVERDRIVE.decide(state, asked_by(player, command, house_rules, nth), ScriptedDice(faces))
    after = deepcopy(state)
    for event in events:
        after = OVERDRIVE.evolve(after, event)
    return after


def check_answers(state: OverdriveState, house_rules: Settings, chance: Random) -> None:
    """Every answer is taken; what is pending stands on the board; and answering ends all that is awaited."""
    board = drawn(state, house_rules)
    of_story = {"close_roll", "play_reaction", "resolve_relation", "roll_duel", "duel_raise", "duel_fold"}
    of_story |= {"answer_question"}
    pending = [(each.kind, each.subject) for each in OVERDRIVE.pending(state) if each.kind in of_story]
    shown = [(each["kind"], each["subject"]) for each in board["waits_for"] if not each["optional"]]
    assert shown == pending
    for entry in board["waits_for"]:
        assert entry["answers"], f"nobody can answer {entry}"
        for answer in entry["answers"]:
            taken(state, entry, answer, house_rules, chance, 0)
    for nth in range(ANSWERS_MAX):
        waits = [each for each in drawn(state, house_rules)["waits_for"] if not each["optional"]]
        if not waits:
            return
        entry = chance.choice(waits)
        state = taken(state, entry, chance.choice(entry["answers"]), house_rules, chance, nth + 1)
    raise AssertionError("something waits for ever")


@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(SETTINGS, st.randoms(use_true_random=True))
def test_whoever_reads_only_the_board_is_never_stuck_and_never_offered_what_is_refused(house_rules, chance):
    """The story at random: duels, scenes, reactions and held rolls, looked at after every few moves."""
    seed = chance.randint(0, 10**9)
    for moves in (20, 40, 60, 90):
        state = play(house_rules, Random(seed), moves).state  # noqa: S311 — play, not secrets
        check_answers(state, house_rules, chance)


def test_the_recorded_story_can_be_played_on_from_the_board_alone_at_any_moment():
    _, rows = story_played("overdrive", 1)
    chance = Random(7)  # noqa: S311 — play, not secrets
    state, looked_at = CampaignState(), 0
    for at_, row in enumerate(rows):
        state = evolve(state, decode_event(row))
        inner = state.systems.get(OVERDRIVE.id)
        ends = at_ + 1 == len(rows) or rows[at_ + 1].action_id != row.action_id
        if inner is not None and ends:
            house_rules = settings_of(OVERDRIVE.id, state.changed_settings)
            check_answers(inner, house_rules, chance)
            looked_at += bool(drawn(inner, house_rules)["waits_for"])
    assert looked_at > 40
