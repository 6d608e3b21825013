"""The scene of Angst in words: person by person, test by test, and as tables."""

from domain.sentences import Sentence, join_parts, say, say_many
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


def board_sentence(board: SceneBoard) -> Sentence:
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
    """The title of a Core."""
    return words.value(OpenTestView, "core", name)


def stands(core: CoreStands, words: Words) -> str:
    """A Core's die: "d6", or "d4 of d8" while steps are lost."""
    if core.effective == core.rated:
        return core.rated
    return words.say(say("{now} of {rated}", now=core.effective, rated=core.rated))


def person(person: SomebodyInScene, words: Words) -> str:
    """A person in full."""
    status = words.value(SomebodyInScene, "status", person.status).lower()
    return in_a_line(
        person.who.name,
        status,
        *(f"{core(name, words)} {stands(die, words)}" for name, die in person.cores.items()),
    )


def against(dn: int | None, words: Words, band: str | None = None) -> str:
    """The DN that a test is made against; one that is opposed by another says so."""
    if dn is None:
        return words.say(say("opposed"))
    hard = f" ({words.value(CalledTestView, 'band', band).lower()})" if band is not None else ""
    return words.say(say("against {dn}", dn=dn)) + hard


def called_test(call: CalledStands, words: Words) -> str:
    """A called test in full."""
    return in_a_line(call.who.name, core(call.test.core, words), against(call.test.dn, words, call.test.band))


def _explained(text: str, dn: int | None, *at: str) -> str:
    """The DN of a test in words, which can be asked why it is so; an opposed test has no number to ask about."""
    return text if dn is None else Figure(text, *at, "test", "dn")


def rolled_test(roll: OpenStands, words: Words) -> str:
    """A rolled test in full."""
    return in_a_line(roll.who.name, core(roll.test.core, words), total(roll, words), *modifiers(roll, words))


def total(roll: OpenStands, words: Words, *at: str) -> str:
    """The total of a test, and the DN that it is made against; `at` are the steps to the test."""
    dn = _explained(against(roll.test.dn, words), roll.test.dn, *at)
    return passage(Figure(roll.test.total, *at, "test", "total"), dn, between=" ")


def modifiers(roll: OpenStands, words: Words, *at: str) -> list[str]:
    """The modifiers that counted beside the dice: "Relationship +1"; `at` are the steps to the test."""
    return [
        Figure(
            f"{words.value(CountedModifier, 'source', one.source)} {signed(one.value)}",
            *(*at, "test", "modifiers", item(nth), item(CountedModifier.__struct_fields__.index("value"))),
        )
        for nth, one in enumerate(roll.test.modifiers)
    ]


def offer(offer: OfferStands, words: Words) -> str:
    """A chance to purge, with the DN of each type."""
    types = join_parts(
        words.say(say("{angst} (DN {dn})", angst=as_words(angst), dn=view.next_dn))
        for angst, view in offer.types.items()
    )
    return words.say(say("{who} may purge {types}", who=offer.who.name, types=types))


def signed(value: int) -> str:
    """A number with its sign."""
    return f"{value:+}".replace("-", "\u2212")


def scene_tables(board: SceneBoard, words: Words) -> list[Table]:
    """People with their Cores, tests, and chances to purge."""
    cores = list(dict.fromkeys(name for person in board.people for name in person.cores))
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
            [_person_row(person, list(cores), words) for person in board.people],
        ),
        Table(
            words.field(SceneBoard, "called_tests"),
            [words.field(CalledStands, "who"), *words.header(CalledTestView, "core", "dn")],
            [
                [
                    call.who.name,
                    core(call.test.core, words),
                    _explained(
                        against(call.test.dn, words, call.test.band),
                        call.test.dn,
                        "called_tests",
                        item(call.who.character),
                    ),
                ]
                for call in board.called_tests
            ],
        ),
        *(
            Table(
                words.field(SceneBoard, name),
                tests,
                [_test_row(name, roll, words) for roll in there],
            )
            for name, there in (("open_tests", board.open_tests), ("opposed_tests", board.opposed_tests))
        ),
        Table(
            words.field(SceneBoard, "offers"),
            words.header(OfferStands, "who", "trigger", "types"),
            [_offer_row(offer, words) for offer in board.offers],
        ),
    )


def _person_row(person: SomebodyInScene, cores: list[str], words: Words) -> list[str]:
    at = ("people", item(person.who.character))
    dice: dict[str, str] = {
        name: Figure(stands(die, words), *at, "cores", name, "effective") for name, die in person.cores.items()
    }
    status = words.value(SomebodyInScene, "status", person.status)
    weight = Figure(signed(person.overwhelming) if person.overwhelming else "", *at, "overwhelming")
    return [person.who.name, *(dice.get(name, "") for name in cores), status, weight]


def _test_row(board: str, roll: OpenStands, words: Words) -> list[str]:
    at = (board, item(roll.who.character))
    told_in = in_a_line(_faces(roll, *at), *modifiers(roll, words, *at))
    return [roll.who.name, told_in, core(roll.test.core, words), total(roll, words, *at)]


def _faces(roll: OpenStands, *at: str) -> str:
    """The dice of a test as they lie: "3 + 4 + 6"."""
    fell, dice = roll.test.dice, (*at, "test", "dice")
    base = [Figure(face, *dice, "base", item(nth)) for nth, face in enumerate(fell.base)]
    core_die = Figure(fell.core, *dice, "core") if roll.test.core_die != "d0" else ""
    bonus = "" if fell.bonus is None else Figure(fell.bonus, *dice, "bonus")
    plus_dice = passage(*base, core_die, bonus, between=" + ")
    penalty = "" if fell.penalty is None else Figure(fell.penalty, *dice, "penalty")
    return passage(plus_dice, penalty, between=" \u2212 ")


def _offer_row(offer: OfferStands, words: Words) -> list[str]:
    at = ("offers", item(offer.who.character, offer.trigger), "types")
    types = (
        Figure(f"{as_words(name)} (DN {view.next_dn})", *at, name, "next_dn") for name, view in offer.types.items()
    )
    return [offer.who.name, words.value(OfferStands, "trigger", offer.trigger), in_a_line(*types)]
