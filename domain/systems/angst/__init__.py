"""Angst: two dice and many modifiers, spends after the roll, and wounds that time heals by the clock."""

from typing import Literal

from domain.ids import AccountId, CharacterId, SystemId
from domain.systems.angst import creation, scenes
from domain.systems.angst.candidates import CANDIDATES, DRAFTS
from domain.systems.angst.character_builder import BUILDER
from domain.systems.angst.character_import import adopt
from domain.systems.angst.commands import (
    AnyCommand,
    AwardStoryPoints,
    CreateCharacter,
    FinaliseTest,
    ResolveOpposed,
    SetCore,
)
from domain.systems.angst.decide import decide
from domain.systems.angst.entrance import entrance_events, evolve_reentered, may_enter
from domain.systems.angst.events import Event
from domain.systems.angst.evolve import evolve
from domain.systems.angst.hideable_commands import HIDING, meant_ids
from domain.systems.angst.odds import low_is_good, odds_of_action, rolls, ways
from domain.systems.angst.opposed_tests import redact
from domain.systems.angst.pending_choices import pending, steps
from domain.systems.angst.recovery import due_commands, postpone_real_time
from domain.systems.angst.settings import Settings
from domain.systems.angst.spendables import POSTINGS, STORY_POINTS, sheet_balances
from domain.systems.angst.state import Angst
from domain.systems.angst.state import Character as AngstCharacter
from domain.systems.system import Character, RuleSystem

__all__ = ["ANGST"]


def _characters(state: Angst) -> list[Character]:
    """Every character with a sheet, by name."""
    return [_as_known(character) for character in state.everybody]


def _character(state: Angst, thing: str) -> Character | None:
    """The character whose id this is."""
    character = state.characters.get(thing)
    return None if character is None else _as_known(character)


def _as_known(character: AngstCharacter) -> Character:
    """A character as the campaign sees it."""
    return Character(CharacterId(character.character_id), character.name, character.player_id)


def _name(state: Angst, thing: str) -> str | None:
    """The name of a character; of a test that is called for or open, that of its character."""
    character = state.characters.get(thing)
    if character is None:
        whose = {test.test_id: test.character for test in state.called}
        whose |= {test.test_id: test.character for test in state.tests}
        character = state.characters.get(whose.get(thing, thing))
    return character.name if character is not None else None


def _fates(state: Angst) -> dict[CharacterId, Literal["dead", "gone"]]:
    """The dead."""
    return {CharacterId(who): "dead" for who, character in state.characters.items() if character.status == "dead"}


def _nameable(state: Angst) -> dict[str, AccountId | None]:
    """The characters."""
    return {who: character.player_id for who, character in state.characters.items()}


def _rename(state: Angst, thing: str, name: str) -> None:
    """Rename a character; ties that others have to them by name follow."""
    character = state.characters.get(thing)
    if character is not None:
        character.name = name


ANGST = RuleSystem(
    id=SystemId("angst"),
    title="Angst",
    commands=AnyCommand,
    events=Event,
    settings=Settings,
    state=Angst,
    decide=decide,
    evolve=evolve,
    on_lifecycle_event=scenes.on_lifecycle_event,
    assign=creation.assign,
    adopt=adopt,
    characters=_characters,
    character=_character,
    builder=BUILDER,
    makes_characters=CreateCharacter,
    name=_name,
    fates=_fates,
    nameable=_nameable,
    rename=_rename,
    pending=pending,
    steps=steps,
    postings=POSTINGS,
    currencies=(STORY_POINTS,),
    sheet_balances=sheet_balances,
    due_commands=due_commands,
    postpone_real_time=postpone_real_time,
    rolls=rolls,
    low_is_good=low_is_good,
    odds=odds_of_action,
    ways=ways,
    redact=redact,
    entrance_events=entrance_events,
    may_enter=may_enter,
    evolve_reentered=evolve_reentered,
    shows_outcomes=frozenset({FinaliseTest, ResolveOpposed}),
    hiding=HIDING,
    candidates=CANDIDATES,
    drafts=DRAFTS,
    meant_ids=meant_ids,
    unattended=frozenset({AwardStoryPoints, SetCore}),
)
