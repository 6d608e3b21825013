"""Overdrive: pools of d6 that explode on ones, points that drive machines, and relations under stress."""

from domain import moments
from domain.asked import Asked
from domain.ids import AccountId, CharacterId, SystemId
from domain.systems.overdrive import creation, duels, progression, scenes
from domain.systems.overdrive.adoption import adopt
from domain.systems.overdrive.commands import AnyCommand, DuelRaise, RechargeMech, Restore, StartDuel
from domain.systems.overdrive.concealment import HIDING, meant
from domain.systems.overdrive.decide import decide
from domain.systems.overdrive.entrance import entered, revealed
from domain.systems.overdrive.events import (
    CharacterAssigned,
    Event,
    SceneEnded,
)
from domain.systems.overdrive.evolve import evolve
from domain.systems.overdrive.odds import rolls
from domain.systems.overdrive.points import Money, keeps, postings, purses
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import OverdriveState
from domain.systems.system import Character, Pending, RuleSystem

__all__ = ["OVERDRIVE"]


def _assign(
    state: OverdriveState,
    character: CharacterId,
    account: AccountId | None,
    asked: Asked,  # noqa: ARG001 — part of the shape of every system
) -> list[CharacterAssigned]:
    return creation.assign(state, character, account)


def _follow(state: OverdriveState, moment: moments.Moment, asked: Asked) -> list[Event]:
    """Answer the campaign: tensions are remembered when a scene begins, objectives when a session ends."""
    match moment:
        case moments.SceneStarted():
            return [*scenes.reminders(state, asked)]
        case moments.SceneEnded() if state.scene is not None:
            return [SceneEnded(state.scene.scene_id)]
        case moments.SessionEnded():
            return [*progression.session_ended(state, moment, asked)]
        case _:
            return []


def _characters(state: OverdriveState) -> list[Character]:
    """Everybody with a sheet, by name; those without a player are the GM's."""
    everyone = [state.characters[who] for who in state.by_name(state.characters)]
    return [
        Character(character=CharacterId(each.character_id), name=each.name, player=each.player_id)
        for each in everyone
    ]


def _name(state: OverdriveState, thing: str) -> str | None:
    """What people call a character or a mech, or whom a relation is with."""
    named = state.characters.get(thing) or state.mechs.get(thing)
    if named is not None:
        return named.name
    met = {each.relations[thing].with_ for each in state.characters.values() if thing in each.relations}
    return met.pop() if len(met) == 1 else None


def _machine(state: OverdriveState, character: CharacterId) -> str | None:
    """The mech a character sits in, else the first that is theirs."""
    known = state.characters.get(character)
    mech = state.mech_of(known) if known is not None else None
    return mech.name if mech is not None else None


def _pending(state: OverdriveState) -> list[Pending]:
    """Losses wait for their player; held rolls, reactions and tensions for the GM; a duel for its side."""
    waiting = [
        Pending("choose_stabilisation_loss", key, each.player_id)
        for key, each in ((who, state.characters[who]) for who in state.by_name(state.characters))
        if each.pending_loss is not None
    ]
    waiting += [Pending("close_roll", each.roll_id, None) for _, each in sorted(state.rolls.items()) if each.held]
    waiting += [Pending("play_reaction", key, None) for key in state.by_name(state.offered)]
    waiting += [Pending("resolve_relation", f"{each.character}:{each.relation}", None) for each in state.tasks]
    if state.duel is not None:
        speaker = state.duel.sides.get(state.duel.turn)
        character = state.characters.get(speaker.character or "") if speaker is not None else None
        player = character.player_id if character is not None else None
        waiting.append(Pending("duel_raise", state.duel.duel_id, player))
    attack = state.combat.attack if state.combat is not None else None
    if attack is not None:
        who = attack.attacker if attack.defenses else attack.target
        character = state.characters.get(who)
        kind = "resolve_attack" if attack.defenses else "roll_defense"
        waiting.append(Pending(kind, who, character.player_id if character is not None else None))
    return waiting


OVERDRIVE = RuleSystem(
    id=SystemId("overdrive"),
    title="Overdrive",
    commands=AnyCommand,
    events=Event,
    settings=Settings,
    state=OverdriveState,
    decide=decide,
    evolve=evolve,
    follow=_follow,
    assign=_assign,
    adopt=adopt,
    sheet_texts=frozenset({"nature", "text"}),
    characters=_characters,
    name=_name,
    machine=_machine,
    pending=_pending,
    money=Money,
    postings=postings,
    keeps=keeps,
    purses=purses,
    owed=progression.owed,
    rolls=rolls,
    redact=duels.redact,
    entered=entered,
    revealed=revealed,
    shows_outcomes=frozenset({StartDuel, DuelRaise}),
    hiding=HIDING,
    meant=meant,
    unattended=frozenset({RechargeMech, Restore}),
)
