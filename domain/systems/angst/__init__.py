"""Angst: two dice and many modifiers, spends after the roll, and wounds that time heals by the clock."""

from domain.ids import CharacterId, SystemId
from domain.systems.angst import creation, scenes
from domain.systems.angst.adoption import adopt
from domain.systems.angst.candidates import CANDIDATES, DRAFTS
from domain.systems.angst.commands import (
    AnyCommand,
    AwardStoryPoints,
    CreateCharacter,
    FinaliseTest,
    ResolveOpposed,
    SetCore,
)
from domain.systems.angst.concealment import HIDING, meant
from domain.systems.angst.decide import decide
from domain.systems.angst.entrance import entered, evolve_reentered
from domain.systems.angst.events import Event
from domain.systems.angst.evolve import evolve
from domain.systems.angst.ledger import POSTINGS, STORY_POINTS, sheet_balances
from domain.systems.angst.odds import rolls
from domain.systems.angst.opposed import redact
from domain.systems.angst.pending_choices import pending
from domain.systems.angst.recovery import owed, postpone_real_time
from domain.systems.angst.settings import Settings
from domain.systems.angst.state import Angst
from domain.systems.system import Character, RuleSystem

__all__ = ["ANGST"]


def _characters(state: Angst) -> list[Character]:
    """Every character with a sheet, by name."""
    return [
        Character(character=CharacterId(each.character_id), name=each.name, player=each.player_id)
        for each in state.everybody
    ]


def _name(state: Angst, thing: str) -> str | None:
    """The name of a character; of a test that is called for or open, that of its character."""
    found = state.characters.get(thing)
    if found is None:
        whose = {each.test_id: each.character for each in state.called}
        whose |= {each.test_id: each.character for each in state.tests}
        found = state.characters.get(whose.get(thing, thing))
    return found.name if found is not None else None


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
    makes_characters=CreateCharacter,
    name=_name,
    pending=pending,
    postings=POSTINGS,
    currencies=(STORY_POINTS,),
    sheet_balances=sheet_balances,
    owed=owed,
    postpone_real_time=postpone_real_time,
    rolls=rolls,
    redact=redact,
    entered=entered,
    evolve_reentered=evolve_reentered,
    shows_outcomes=frozenset({FinaliseTest, ResolveOpposed}),
    hiding=HIDING,
    candidates=CANDIDATES,
    drafts=DRAFTS,
    meant=meant,
    unattended=frozenset({AwardStoryPoints, SetCore}),
)
