"""Overdrive: pools of d6 that explode on ones, points that drive machines, and relations under stress."""

from domain import lifecycle_events
from domain.command_context import CommandContext
from domain.ids import CharacterId, SystemId
from domain.systems.overdrive import creation, duels, pending_choices, progression, scenes
from domain.systems.overdrive.adoption import adopt
from domain.systems.overdrive.candidates import CANDIDATES, DRAFTS
from domain.systems.overdrive.commands import AnyCommand, DuelRaise, RechargeMech, Restore, RollDuel, StartDuel
from domain.systems.overdrive.concealment import HIDING, meant
from domain.systems.overdrive.decide import decide
from domain.systems.overdrive.entrance import entered, evolve_reentered, revealed
from domain.systems.overdrive.events import (
    Event,
    SceneEnded,
)
from domain.systems.overdrive.evolve import evolve
from domain.systems.overdrive.fight_choices import exchange as waiting_for_exchange
from domain.systems.overdrive.ledger import OVERDRIVE as CURRENCY
from domain.systems.overdrive.ledger import POSTINGS, TACTICAL, owns_account, sheet_balances
from domain.systems.overdrive.odds import rolls
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import OverdriveState
from domain.systems.overdrive.story_commands import CreateCharacter
from domain.systems.system import Character, Pending, RuleSystem

__all__ = ["OVERDRIVE"]


def _on_lifecycle_event(
    state: OverdriveState, moment: lifecycle_events.LifecycleEvent, context: CommandContext
) -> list[Event]:
    """The events after a campaign event: reminders of tensions in a new scene, objectives after a session."""
    match moment:
        case lifecycle_events.SceneStarted():
            return [*scenes.reminders(state, context)]
        case lifecycle_events.SceneEnded() if state.scene is not None:
            return [SceneEnded(state.scene.scene_id)]
        case lifecycle_events.SessionEnded():
            return [*progression.session_ended(state, moment, context)]
        case _:
            return []


def _characters(state: OverdriveState) -> list[Character]:
    """Every character with a sheet; those without a player are the GM's."""
    everyone = [state.characters[who] for who in state.by_name(state.characters)]
    return [
        Character(character=CharacterId(each.character_id), name=each.name, player=each.player_id)
        for each in everyone
    ]


def _name(state: OverdriveState, thing: str) -> str | None:
    """The name of a character or mech, of a relation's person, or of the reaction in `character:reaction`.

    A roll goes by the name of its character.
    """
    if thing.startswith("roll-"):
        thing = next((each.character for each in state.rolls.values() if each.roll_id == thing), thing)
    named = state.characters.get(thing) or state.mechs.get(thing)
    if named is not None:
        return named.name
    who, _, reaction = thing.partition(":")
    shown = state.characters.get(who)
    if reaction and shown is not None:
        return next((each.text for each in shown.reactions if each.id == reaction), None)
    met = {each.relations[thing].with_ for each in state.characters.values() if thing in each.relations}
    return met.pop() if len(met) == 1 else None


def _machine(state: OverdriveState, character: CharacterId) -> str | None:
    """The mech a character sits in, else their first one."""
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
    waiting += pending_choices.pending(state)
    exchange = waiting_for_exchange(state)
    if exchange is not None:
        waiting.append(Pending(exchange.kind, exchange.subject, exchange.waits_for))
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
    on_lifecycle_event=_on_lifecycle_event,
    assign=creation.assign,
    adopt=adopt,
    sheet_texts=frozenset({"nature", "text"}),
    characters=_characters,
    makes_characters=CreateCharacter,
    name=_name,
    machine=_machine,
    pending=_pending,
    postings=POSTINGS,
    currencies=(CURRENCY, TACTICAL),
    owns_account=owns_account,
    sheet_balances=sheet_balances,
    owed=progression.owed,
    rolls=rolls,
    redact=duels.redact,
    entered=entered,
    evolve_reentered=evolve_reentered,
    revealed=revealed,
    shows_outcomes=frozenset({StartDuel, RollDuel, DuelRaise}),
    hiding=HIDING,
    candidates=CANDIDATES,
    drafts=DRAFTS,
    meant=meant,
    unattended=frozenset({RechargeMech, Restore}),
)
