"""What must always hold, tried from wherever random play has led: harm can be resolved, what broke still binds."""

from hypothesis import given

from domain.rejection import Rejection
from domain.systems.freefall import commands as c
from domain.systems.freefall.attributes import max_current
from domain.systems.freefall.harm import options
from domain.systems.freefall.state import Character, FreefallState
from domain.systems.freefall.tables import ATTRIBUTES, AttributeName, HarmType
from tests.domain.freefall.random_play import EXAMPLES, SETTINGS, TYPES, play
from tests.domain.freefall.table import Table
from tests.domain.random_play import CHANCES

BREAKS_AT_MOST = 10
"""Three slots to fill, three to turn permanent, and what hangs on a character: then a level must have ousted."""


def ready(table: Table) -> list[str]:
    """Whoever is in the story and has nothing to resolve yet; the GM's calls must not pile up."""
    busy = {each.character for each in table.state.called}
    return [id_ for id_, each in table.state.characters.items() if each.status == "active" and id_ not in busy]


def owner(table: Table, character: str) -> str:
    return table.state.characters[character].name.lower()


def takes(table: Table, character: str, harm_type: HarmType, choice: c.Choice) -> None:
    """One level, called by the GM and resolved by its owner."""
    table.do("gm", c.ReceiveHarm(harm_type=harm_type, levels=1, minimum=1, character=character))
    left = table.state.called[-1].levels
    assert left == 1
    table.do(owner(table, character), c.ReceiveHarm(choices=[choice], character=character))


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_every_option_that_is_shown_is_accepted_and_no_other_is(house_rules, chance):
    table = play(house_rules, chance)
    for character in ready(table):
        for harm_type in TYPES:
            found = options(table.state.characters[character], harm_type, table.settings)
            for each in found:
                trial = table.twin()
                takes(trial, character, harm_type, c.Choice(option=each.option, slot=each.slot, item=each.item))  # type: ignore[arg-type]
                assert (trial.state.characters[character].status == "ousted") == each.will_oust
            shown = {(each.option, each.slot, each.item) for each in found}
            thinkable = [c.Choice("A"), *(c.Choice("B", slot=slot) for slot in (1, 2, 3))]
            thinkable += [c.Choice("C", item=item) for item in table.state.characters[character].items]
            for choice in thinkable:
                if (choice.option, choice.slot, choice.item) not in shown:
                    assert is_refused(table.twin(), character, harm_type, choice)


def is_refused(table: Table, character: str, harm_type: HarmType, choice: c.Choice) -> bool:
    try:
        takes(table, character, harm_type, choice)
    except Rejection:
        return True
    return False


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_level_after_level_can_be_resolved_until_the_third_permanent_harm_ousts(house_rules, chance):
    table = play(house_rules, chance)
    for character in ready(table):
        sheet = table.state.characters[character]
        for taken in range(BREAKS_AT_MOST + 2 * len(sheet.items)):
            sheet = table.state.characters[character]
            if sheet.status == "ousted":
                break
            harm_type = chance.choice(TYPES)
            found = options(sheet, harm_type, table.settings)
            assert found, f"nothing left to choose after {taken} levels"
            one = chance.choice(found)
            takes(table, character, harm_type, c.Choice(one.option, one.slot, one.item))
        assert sheet.status == "ousted"
        assert [slot is not None and slot.state for slot in sheet.slots] == ["permanent"] * 3


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_bindings_persist_while_an_item_is_faulty_or_broken(house_rules, chance):
    state = play(house_rules, chance).state
    for character in state.characters.values():
        ceilings = {name: max_current(state, character, name) for name in ATTRIBUTES}
        assert ceilings == {name: by_hand(state, character, name) for name in ATTRIBUTES}
        for item in character.items.values():
            for condition in ("functional", "faulty", "broken"):
                item.state = condition
                assert {name: max_current(state, character, name) for name in ATTRIBUTES} == ceilings


def by_hand(state: FreefallState, character: Character, name: AttributeName) -> int:
    """What the rulebook would have somebody add up with a pencil."""
    left = character.attributes[name].permanent
    left -= sum(item.what.binding.on(name) for item in character.items.values() if item.bound)
    left -= sum(
        machine.pilot_binding.on(name)
        for machine in state.machines.values()
        if machine.pilot == character.character_id
    )
    return max(0, left)
