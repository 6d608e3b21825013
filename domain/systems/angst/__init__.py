"""Angst: two dice and many modifiers, spends after the roll, and wounds that time heals by the clock."""

from domain.command_context import Asked
from domain.ids import AccountId, CharacterId, SystemId
from domain.systems.angst import creation, scenes
from domain.systems.angst.adoption import adopt
from domain.systems.angst.commands import AnyCommand, AwardStoryPoints, FinaliseTest, ResolveOpposed, SetCore
from domain.systems.angst.concealment import HIDING, meant
from domain.systems.angst.decide import decide
from domain.systems.angst.entrance import entered, tell_anew
from domain.systems.angst.events import CharacterAssigned, Event
from domain.systems.angst.evolve import evolve
from domain.systems.angst.ledger import STORY_POINTS, Money, postings, purses
from domain.systems.angst.odds import rolls
from domain.systems.angst.opposed import redact
from domain.systems.angst.pending_choices import pending
from domain.systems.angst.recovery import owed, wait_longer
from domain.systems.angst.settings import Settings
from domain.systems.angst.state import Angst
from domain.systems.system import Character, RuleSystem

__all__ = ["ANGST"]


def _assign(
    state: Angst,
    character: CharacterId,
    account: AccountId | None,
    asked: Asked,  # noqa: ARG001 — part of the shape of every system
) -> list[CharacterAssigned]:
    return creation.assign(state, character, account)


def _characters(state: Angst) -> list[Character]:
    """Everybody with a sheet, by name."""
    return [
        Character(character=CharacterId(each.character_id), name=each.name, player=each.player_id)
        for each in state.everybody
    ]


def _name(state: Angst, thing: str) -> str | None:
    """What people call a character."""
    found = state.characters.get(thing)
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
    follow=scenes.follow,
    assign=_assign,
    adopt=adopt,
    characters=_characters,
    name=_name,
    pending=pending,
    money=Money,
    postings=postings,
    currencies=(STORY_POINTS,),
    purses=purses,
    owed=owed,
    wait_longer=wait_longer,
    rolls=rolls,
    redact=redact,
    entered=entered,
    tell_anew=tell_anew,
    shows_outcomes=frozenset({FinaliseTest, ResolveOpposed}),
    hiding=HIDING,
    meant=meant,
    unattended=frozenset({AwardStoryPoints, SetCore}),
)
