"""Angst: two dice and many modifiers, spends after the roll, and wounds that time heals by the clock."""

from domain.asked import Asked
from domain.ids import AccountId, CharacterId, SystemId
from domain.systems.angst import people, scenes
from domain.systems.angst.adoption import adopt
from domain.systems.angst.commands import AnyCommand, AwardStoryPoints, FinaliseTest, ResolveOpposed, SetCore
from domain.systems.angst.concealment import HIDING, meant
from domain.systems.angst.decide import decide
from domain.systems.angst.entrance import entered
from domain.systems.angst.events import CharacterAssigned, Event
from domain.systems.angst.evolve import evolve
from domain.systems.angst.odds import rolls
from domain.systems.angst.opposed import redact
from domain.systems.angst.purse import Money, postings, purses
from domain.systems.angst.recovery import owed, wait_longer
from domain.systems.angst.settings import Settings
from domain.systems.angst.state import Angst
from domain.systems.system import Character, Pending, RuleSystem

__all__ = ["ANGST"]


def _assign(
    state: Angst,
    character: CharacterId,
    account: AccountId | None,
    asked: Asked,  # noqa: ARG001 — part of the shape of every system
) -> list[CharacterAssigned]:
    return people.assign(state, character, account)


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


def _player(state: Angst, character: str) -> AccountId | None:
    """Whose a character is."""
    found = state.characters.get(character)
    return found.player_id if found is not None else None


def _pending(state: Angst) -> list[Pending]:
    """Called tests wait for their dice, open ones and opposed ones for the GM, offers for their player."""
    made = [Pending("make_test", test.test_id, _player(state, test.character)) for test in state.called]
    ended = [
        Pending("resolve_opposed" if test.final else "finalise_test", test.test_id, None) for test in state.tests
    ]
    offered = [
        Pending("purge_angst", character.character_id, character.player_id)
        for character in state.everybody
        if character.purge_offers
    ]
    return [*made, *ended, *offered]


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
    pending=_pending,
    money=Money,
    postings=postings,
    purses=purses,
    owed=owed,
    wait_longer=wait_longer,
    rolls=rolls,
    redact=redact,
    entered=entered,
    shows_outcomes=frozenset({FinaliseTest, ResolveOpposed}),
    hiding=HIDING,
    meant=meant,
    unattended=frozenset({AwardStoryPoints, SetCore}),
)
