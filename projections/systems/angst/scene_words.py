"""The scene of Angst in words: person by person, test by test, and as tables."""

from domain.sentences import Sentence, joined, say, say_many
from domain.systems.angst.rolls import CountedModifier
from projections.drawings.board_parts import Figure, Table, Words, as_words, in_a_line, item, passage, tables
from projections.systems.angst.boards import (
    CalledStands,
    CoreStands,
    OfferStands,
    OpenStands,
    SceneBoard,
    SomebodyInScene,
)
from projections.systems.angst.sheet import CalledTestView, OpenTestView


def told(board: SceneBoard) -> Sentence:
    """The scene in a sentence: tests that wait, else chances to purge."""
    waiting = len(board.called_tests) + len(board.open_tests) + len(board.opposed_tests)
    if waiting:
        return say_many("{n} test is under way", "{n} tests are under way", waiting)
    if board.offers:
        return say_many(
            "{n} chance to purge Angst is open", "{n} chances to purge Angst are open", len(board.offers)
        )
    return say("No test is under way") if board.people else say("Nobody is in the story yet.")


def core(name: str, words: Words) -> str:
    """What a Core is called."""
    return words.value(OpenTestView, "core", name)


def stands(each: CoreStands, words: Words) -> str:
    """A Core's die: "d6", or "d4 of d8" while steps are lost."""
    if each.effective == each.rated:
        return each.rated
    return words.say(say("{now} of {rated}", now=each.effective, rated=each.rated))


def person(each: SomebodyInScene, words: Words) -> str:
    """A person in full."""
    status = words.value(SomebodyInScene, "status", each.status).lower()
    return in_a_line(
        each.who.name, status, *(f"{core(name, words)} {stands(die, words)}" for name, die in each.cores.items())
    )


def against(dn: int | None, words: Words, band: str | None = None) -> str:
    """What a test is made against; one that is opposed by another says so."""
    if dn is None:
        return words.say(say("opposed"))
    hard = f" ({words.value(CalledTestView, 'band', band).lower()})" if band is not None else ""
    return words.say(say("against {dn}", dn=dn)) + hard


def called(each: CalledStands, words: Words) -> str:
    """A called test in full."""
    return in_a_line(each.who.name, core(each.test.core, words), against(each.test.dn, words, each.test.band))


def _explained(text: str, dn: int | None, *at: str) -> str:
    """What a test is made against, which can be asked why it is so; where it is opposed there is no number."""
    return text if dn is None else Figure(text, *at, "test", "dn")


def rolled(each: OpenStands, words: Words) -> str:
    """A rolled test in full."""
    return in_a_line(each.who.name, core(each.test.core, words), total(each, words), *modifiers(each, words))


def total(each: OpenStands, words: Words, *at: str) -> str:
    """What a test came to, against what; `at` are the steps to it."""
    dn = _explained(against(each.test.dn, words), each.test.dn, *at)
    return passage(Figure(each.test.total, *at, "test", "total"), dn, between=" ")


def modifiers(each: OpenStands, words: Words, *at: str) -> list[str]:
    """What counted beside the dice: "Relationship +1"; `at` are the steps to the test."""
    return [
        Figure(
            f"{words.value(CountedModifier, 'source', one.source)} {signed(one.value)}",
            *(*at, "test", "modifiers", item(nth), item(CountedModifier.__struct_fields__.index("value"))),
        )
        for nth, one in enumerate(each.test.modifiers)
    ]


def offer(each: OfferStands, words: Words) -> str:
    """A chance to purge, with the DN of each type."""
    types = joined(
        words.say(say("{angst} (DN {dn})", angst=as_words(angst), dn=view.next_dn))
        for angst, view in each.types.items()
    )
    return words.say(say("{who} may purge {types}", who=each.who.name, types=types))


def signed(value: int) -> str:
    """A number with its sign."""
    return f"{value:+}".replace("-", "\u2212")


def scene_tables(board: SceneBoard, words: Words) -> list[Table]:
    """People with their Cores, tests, and chances to purge."""
    cores = list(dict.fromkeys(name for each in board.people for name in each.cores))
    header = [words.field(SomebodyInScene, "who"), *(core(name, words) for name in cores)]
    tests = [
        *words.header(OpenStands, "who", "test"),
        words.field(OpenTestView, "core"),
        words.field(OpenTestView, "total"),
    ]
    return tables(
        Table(
            words.field(SceneBoard, "people"),
            [*header, *words.header(SomebodyInScene, "status", "overwhelming")],
            [_person_row(each, list(cores), words) for each in board.people],
        ),
        Table(
            words.field(SceneBoard, "called_tests"),
            [words.field(CalledStands, "who"), *words.header(CalledTestView, "core", "dn")],
            [
                [
                    each.who.name,
                    core(each.test.core, words),
                    _explained(
                        against(each.test.dn, words, each.test.band),
                        each.test.dn,
                        "called_tests",
                        item(each.who.character),
                    ),
                ]
                for each in board.called_tests
            ],
        ),
        *(
            Table(
                words.field(SceneBoard, name),
                tests,
                [_test_row(name, each, words) for each in there],
            )
            for name, there in (("open_tests", board.open_tests), ("opposed_tests", board.opposed_tests))
        ),
        Table(
            words.field(SceneBoard, "offers"),
            words.header(OfferStands, "who", "trigger", "types"),
            [_offer_row(each, words) for each in board.offers],
        ),
    )


def _person_row(each: SomebodyInScene, cores: list[str], words: Words) -> list[str]:
    at = ("people", item(each.who.character))
    dice: dict[str, str] = {
        name: Figure(stands(die, words), *at, "cores", name, "effective") for name, die in each.cores.items()
    }
    status = words.value(SomebodyInScene, "status", each.status)
    weight = Figure(signed(each.overwhelming) if each.overwhelming else "", *at, "overwhelming")
    return [each.who.name, *(dice.get(name, "") for name in cores), status, weight]


def _test_row(board: str, each: OpenStands, words: Words) -> list[str]:
    at = (board, item(each.who.character))
    told_in = in_a_line(_faces(each, *at), *modifiers(each, words, *at))
    return [each.who.name, told_in, core(each.test.core, words), total(each, words, *at)]


def _faces(each: OpenStands, *at: str) -> str:
    """The dice of a test as they lie: "3 + 4 + 6"."""
    fell, dice = each.test.dice, (*at, "test", "dice")
    base = [Figure(face, *dice, "base", item(nth)) for nth, face in enumerate(fell.base)]
    core_die = Figure(fell.core, *dice, "core") if each.test.core_die != "d0" else ""
    bonus = "" if fell.bonus is None else Figure(fell.bonus, *dice, "bonus")
    added = passage(*base, core_die, bonus, between=" + ")
    penalty = "" if fell.penalty is None else Figure(fell.penalty, *dice, "penalty")
    return passage(added, penalty, between=" \u2212 ")


def _offer_row(each: OfferStands, words: Words) -> list[str]:
    at = ("offers", item(each.who.character, each.trigger), "types")
    types = (
        Figure(f"{as_words(name)} (DN {view.next_dn})", *at, name, "next_dn") for name, view in each.types.items()
    )
    return [each.who.name, words.value(OfferStands, "trigger", each.trigger), in_a_line(*types)]
