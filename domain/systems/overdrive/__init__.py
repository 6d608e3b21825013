"""Overdrive: pools of d6 that explode on ones, points that drive machines, and relations under stress."""

from domain import lifecycle_events
from domain.command_context import CommandContext
from domain.ids import AccountId, CharacterId, SystemId
from domain.systems.overdrive import creation, duels, gm_questions, pending_choices, progression, scenes
from domain.systems.overdrive.candidates import CANDIDATES, DRAFTS
from domain.systems.overdrive.character_builder import BUILDER
from domain.systems.overdrive.character_import import adopt
from domain.systems.overdrive.commands import AnyCommand, DuelRaise, RechargeMech, Restore, RollDuel, StartDuel
from domain.systems.overdrive.decide import decide
from domain.systems.overdrive.entrance import entrance_events, evolve_reentered, may_enter, reveal
from domain.systems.overdrive.events import (
    Event,
    SceneEnded,
)
from domain.systems.overdrive.evolve import evolve
from domain.systems.overdrive.fight_choices import exchange as waiting_for_exchange
from domain.systems.overdrive.fight_setup import FIGHT
from domain.systems.overdrive.hideable_commands import HIDING, meant_ids
from domain.systems.overdrive.ledger import OVERDRIVE as CURRENCY
from domain.systems.overdrive.ledger import POSTINGS, TACTICAL, owns_account, sheet_balances
from domain.systems.overdrive.odds import against, chance, low_is_good, odds_of_action, rolls
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import Character as OverdriveCharacter
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
    return [_as_known(state.characters[who]) for who in state.by_name(state.characters)]


def _character(state: OverdriveState, thing: str) -> Character | None:
    """The character whose id this is."""
    character = state.characters.get(thing)
    return None if character is None else _as_known(character)


def _as_known(character: OverdriveCharacter) -> Character:
    """A character as the campaign sees it."""
    return Character(CharacterId(character.character_id), character.name, character.player_id)


def _name(state: OverdriveState, thing: str) -> str | None:
    """The name of a character or mech, of a relation's person, or of the reaction in `character:reaction`.

    A roll goes by the name of its character, a question by its words.
    """
    if thing.startswith("roll-"):
        thing = next((roll.character for roll in state.rolls.values() if roll.roll_id == thing), thing)
    question = gm_questions.find_question(state, thing)
    if question is not None:
        return gm_questions.title_of(question) or None
    subject = state.characters.get(thing) or state.mechs.get(thing)
    if subject is not None:
        return subject.name
    who, _, reaction = thing.partition(":")
    character = state.characters.get(who)
    if reaction and character is not None:
        return next(
            (known_reaction.text for known_reaction in character.reactions if known_reaction.id == reaction), None
        )
    met = {
        character.relations[thing].with_ for character in state.characters.values() if thing in character.relations
    }
    return met.pop() if len(met) == 1 else None


def _nameable(state: OverdriveState) -> dict[str, AccountId | None]:
    """The characters and their mechs."""
    people = {who: character.player_id for who, character in state.characters.items()}
    return {**people, **{mech.mech_id: people.get(mech.pilot) for mech in state.mechs.values()}}


def _rename(state: OverdriveState, thing: str, name: str) -> None:
    """Rename a character, also in the duel that goes on, or a mech."""
    sides = [] if state.duel is None else state.duel.sides.values()
    for subject in (state.characters.get(thing), state.mechs.get(thing)):
        if subject is not None:
            subject.name = name
    for side in sides:
        if side.character == thing:
            side.name = name


def _machine(state: OverdriveState, character: CharacterId) -> str | None:
    """The mech a character sits in, else their first one."""
    pilot = state.characters.get(character)
    mech = state.mech_of(pilot) if pilot is not None else None
    return mech.name if mech is not None else None


def _pending(state: OverdriveState) -> list[Pending]:
    """Losses wait for their player; rolls, reactions, questions and tensions for the GM; a duel for its side."""
    waiting = [
        Pending.of("choose_stabilisation_loss", key, character.player_id, character.pending_loss)
        for key, character in ((who, state.characters[who]) for who in state.by_name(state.characters))
        if character.pending_loss is not None
    ]
    waiting += pending_choices.pending(state)
    exchange = waiting_for_exchange(state)
    if exchange is not None and state.combat is not None:
        waiting.append(Pending.of(exchange.kind, exchange.subject, exchange.waits_for, state.combat.attack))
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
    sheet_texts=frozenset({"answer", "nature", "text"}),
    characters=_characters,
    character=_character,
    builder=BUILDER,
    fight=FIGHT,
    makes_characters=CreateCharacter,
    name=_name,
    nameable=_nameable,
    rename=_rename,
    machine=_machine,
    pending=_pending,
    steps=pending_choices.steps,
    postings=POSTINGS,
    currencies=(CURRENCY, TACTICAL),
    owns_account=owns_account,
    sheet_balances=sheet_balances,
    due_commands=progression.due_commands,
    rolls=rolls,
    low_is_good=low_is_good,
    chance=chance,
    against=against,
    odds=odds_of_action,
    redact=duels.redact,
    entrance_events=entrance_events,
    may_enter=may_enter,
    evolve_reentered=evolve_reentered,
    reveal=reveal,
    shows_outcomes=frozenset({StartDuel, RollDuel, DuelRaise}),
    hiding=HIDING,
    candidates=CANDIDATES,
    drafts=DRAFTS,
    meant_ids=meant_ids,
    unattended=frozenset({RechargeMech, Restore}),
)
