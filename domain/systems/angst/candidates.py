"""Candidates for the fields of Angst's commands, as a state knows them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import permutations

from domain.command_context import CommandContext
from domain.field_references import Candidates, Given
from domain.personal_text import AMOUNT_MAX
from domain.systems.angst.access import is_own
from domain.systems.angst.commands import MakeTest, ResolveOpposed
from domain.systems.angst.dice_pool import ORDER, on_the_table
from domain.systems.angst.state import Angst, CalledTest, Character, Test
from domain.systems.angst.tables import CORES, LADDER, MODIFIERS, SPEND_MAX


def _sheets(state: Angst, inputs: Given, context: CommandContext) -> list[Character]:
    """The character that is given; without one, all that the asker may act for, their own first."""
    sheet = state.characters.get(str(inputs.get("character")))
    if sheet is not None:
        return [sheet]
    own = [character for character in state.everybody if is_own(character, context)]
    others = (character for character in state.everybody if not is_own(character, context))
    return [*own, *others] if context.is_gm else own


def _of_sheets(part: Callable[[Character], Iterable[str]]) -> Candidates:
    """The entries in a part of the sheets."""

    def find(state: Angst, inputs: Given, context: CommandContext) -> Iterator[str]:
        for sheet in _sheets(state, inputs, context):
            yield from part(sheet)

    return find


def _angst_types(state: Angst, inputs: Given, context: CommandContext) -> Iterator[str]:
    """Those in which there are most points first."""
    sheets = _sheets(state, inputs, context)
    yield from sorted(
        state.angst_types, key=lambda angst_type: -sum(sheet.angst.get(angst_type, 0) for sheet in sheets)
    )


def _tests(state: Angst, _inputs: Given, context: CommandContext) -> list[str]:
    """The asker's own first: those that are called, then those that are rolled, the last one first."""
    tests: list[CalledTest | Test] = [*state.called, *reversed(state.tests)]
    own_first = sorted(tests, key=lambda test: not is_own(state.characters.get(test.character), context))
    return [test.test_id for test in own_first]


def _dice(state: Angst, inputs: Given, _context: CommandContext) -> list[str]:
    """The dice that lie there of the test that is given, else of any open one."""
    tests = [test for test in state.tests if inputs.get("test_id") in (None, test.test_id) and not test.final]
    lying = {role for test in tests for role in on_the_table(test)}
    return [role for role in ORDER if role in lying]


def _dn(state: Angst, _inputs: Given, _context: CommandContext) -> Iterator[int]:
    """Any, or that of a test which a GM called."""
    yield from (-AMOUNT_MAX, AMOUNT_MAX)
    yield from (test.dn for test in state.called if test.dn is not None)


def _life_experience(state: Angst, _inputs: Given, _context: CommandContext) -> Iterator[int]:
    """The amounts that may be added to a test: 1, or as much as a character has."""
    yield 1
    yield from (min(SPEND_MAX, character.life_experience.current) for character in state.everybody)


def _toward(state: Angst, inputs: Given, context: CommandContext) -> Iterator[str]:
    """With whom there is a Relationship, then everybody else."""
    sheets = _sheets(state, inputs, context)
    for sheet in sheets:
        yield from sheet.relationships
    alone = sheets[0].character_id if len(sheets) == 1 else None
    yield from (character.name for character in state.everybody if character.character_id != alone)


def _supporters(state: Angst, inputs: Given, _context: CommandContext) -> list[str]:
    """Everybody else who is present, then grades by themselves."""
    acting = inputs.get("character")
    present = [character.character_id for character in state.everybody if character.status == "active"]
    return [*(character_id for character_id in present if character_id != acting), *MODIFIERS]


def _grades(_state: Angst, _inputs: Given, _context: CommandContext) -> list[str]:
    return [*MODIFIERS]


def _ratings(_state: Angst, _inputs: Given, _context: CommandContext) -> list[str]:
    """The possible ratings of a Core; d0 is only left of one by a loss."""
    return [*LADDER[1:]]


def _die_words(_state: Angst, _inputs: Given, _context: CommandContext) -> list[str]:
    return [*LADDER[1:], LADDER[0]]


def _sheet(_state: Angst, _inputs: Given, _context: CommandContext) -> list[Given]:
    """A sheet to bring in, with nothing on it but the required fields."""
    return [{"name": "…", "cores": {core: {"rated": "d4"} for core in CORES}}]


CANDIDATES: Mapping[str, Candidates] = {
    "angst_type": _angst_types,
    "test": _tests,
    "dn": _dn,
    "life_experience": _life_experience,
    "die_role": _dice,
    "rock": _of_sheets(lambda sheet: sheet.rocks),
    "suck": _of_sheets(lambda sheet: sheet.sucks),
    "perk": _of_sheets(lambda sheet: sheet.perks),
    "comfort": _of_sheets(lambda sheet: sheet.comforts),
    "stressor": _of_sheets(lambda sheet: sheet.stressors),
    "relationship": _toward,
    "supporter": _supporters,
    "grade": _grades,
    "die_word": _die_words,
    "core_rating": _ratings,
    "sheet": _sheet,
}


def _opposed(state: Angst, _inputs: Given, _context: CommandContext) -> Iterator[Given]:
    """The final opposed tests in pairs: the last one acts, as it was rolled against the others."""
    final = [test.test_id for test in state.tests if test.opposed and test.final]
    for acting, opposing in permutations(reversed(final), 2):
        yield {"acting": {"test_id": acting}, "opposing": {"test_id": opposing}}


def _tests_to_make(state: Angst, inputs: Given, context: CommandContext) -> Iterator[Given]:
    """The called tests, the asker's own first; else a test of one's own."""
    called_ids = [test.test_id for test in state.called]
    yield from ({"test_id": test_id} for test_id in _tests(state, inputs, context) if test_id in called_ids)
    for sheet in _sheets(state, inputs, context):
        yield {"character": sheet.character_id, "core": "physical", "dn": 7}


DRAFTS: Mapping[type, Candidates] = {ResolveOpposed: _opposed, MakeTest: _tests_to_make}
