"""Everything the table waits for, as text: the member to choose, the subject, and the commands that answer it."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import get_args
from uuid import UUID

import msgspec
from msgspec import structs

from domain.campaign.membership import players_of
from domain.campaign.messages.deletion_request import DELETION_WAITS_DAYS
from domain.campaign.pending_choices import pending
from domain.campaign.play.ledger_accounts import WORLD, kind_of
from domain.campaign.settings import language_of, settings_of
from domain.campaign.state import CampaignState
from domain.ids import AccountId, ActionId, SystemId
from domain.sentences import Sentence, number, say
from domain.systems import SYSTEMS
from domain.systems.system import Pending, RuleSystem
from projections.awaited_answers import MayAnswer, Name, Waiting, WaitingFor, may, with_absence
from projections.boards import as_may_be_asked
from projections.campaign_words.character_arrivals import asks_to_bring
from projections.campaign_words.narration import in_words, span
from projections.languages import render
from projections.narration_tables import currency_name
from projections.systems import SYSTEM_VIEWS
from projections.titles import command_title

THEIR_OWN = frozenset({"decline_deletion", "answer_dates"})
"""Choices that no GM makes in the place of who is waited for."""
OPTIONAL = frozenset({"answer_dates"})
"""Choices that nothing at the table waits for."""

Key = tuple[str, str, AccountId | None, AccountId | None]


class Awaited(WaitingFor, frozen=True):
    """An entry of a board's `waits_for`, with its sentences as text."""

    name: str
    told: str


def choices_of(
    state: CampaignState,
    name: Name,
    common: CampaignState | None = None,
    language: str | None = None,
    in_words: Callable[[str | Sentence], str] | None = None,
) -> list[Awaited]:
    """Everything that is pending, as a reader of this state may know it: the systems', then the campaign's own.

    `common` is the campaign as everybody knows it, where that is known. It is told in `language`; None: the
    campaign's. `in_words` renders it otherwise.
    """
    spoken, listed = language or language_of(state.changed_settings), _of_systems(state, name, common)
    say_it = in_words or partial(render, language=spoken)
    return [_in(say_it, listed.get(_key(choice)) or _other(state, choice, name)) for choice in pending(state)]


def _key(choice: Pending | WaitingFor) -> Key:
    return choice.kind, choice.subject, choice.waits_for, choice.absent


def _of_systems(state: CampaignState, name: Name, common: CampaignState | None) -> dict[Key, WaitingFor]:
    """The choices on the boards of systems that have anything pending."""
    able, choices = players_of(state), dict[Key, WaitingFor]()
    for system, inner in state.systems.items():
        rules, settings = SYSTEMS[system], settings_of(system, state.changed_settings)
        if rules.pending(inner) or rules.also_pending(inner, settings):
            waiting = [
                choice
                for waits_for in SYSTEM_VIEWS[system].waits_for
                for choice in waits_for(inner, name, settings, able)
            ]
            choices |= {_key(choice): choice for choice in as_may_be_asked(state, common, system, waiting)}
    return choices


def _in(in_words: Callable[[str | Sentence], str], choice: WaitingFor) -> Awaited:
    fields = {field: getattr(choice, field) for field in choice.__struct_fields__}
    for field in ("name", "told"):
        if isinstance(fields[field], Sentence):
            fields[field] = in_words(fields[field])
    return Awaited(**fields)


def unlisted(state: CampaignState, system: SystemId, choice: Pending, name: Name) -> WaitingFor:
    """A system's choice that no board lists: accepted forms of the command it is named after."""
    rules, inner, settings = SYSTEMS[system], state.systems[system], settings_of(system, state.changed_settings)
    waiting = Waiting(rules, inner, name, settings, players_of(state))
    command, player = f"{system}.{choice.kind}", choice.waits_for or choice.absent
    what = name(choice.subject)
    who = name(choice.waits_for) if choice.waits_for is not None else say("A GM")
    title = command_title(command)
    sentence = say("{who} is asked for an answer, “{command}”: {what}", who=who, command=title, what=what)
    return waiting.entry(
        choice.kind, choice.subject, what, player, sentence, _naming(rules, command, choice.subject)
    )


def _naming(rules: RuleSystem, command: str, subject: str) -> list[MayAnswer]:
    """The forms in which a command can name its subject and leave everything else out."""
    answers = []
    for kind in get_args(rules.commands):
        if kind.__struct_config__.tag == command:
            for field in structs.fields(kind):
                answer = may(command, {field.encode_name: [subject]})
                with suppress(msgspec.ValidationError):
                    msgspec.convert(answer.command, kind)
                    answers.append(answer)
    return answers


def _other(state: CampaignState, choice: Pending, name: Name) -> WaitingFor:
    """A choice that no board lists: a system's, or the campaign's own."""
    for system, inner in state.systems.items():
        settings = settings_of(system, state.changed_settings)
        of_system = [*SYSTEMS[system].pending(inner), *SYSTEMS[system].also_pending(inner, settings)]
        if any((other.kind, other.subject) == (choice.kind, choice.subject) for other in of_system):
            return unlisted(state, system, choice, name)
    return _own(state, choice, name)


def _own(state: CampaignState, choice: Pending, name: Name) -> WaitingFor:
    """A choice of the campaign itself, which accepts every answer; a GM may answer for a player."""
    subject_name, sentence, answers = _describe_choice(state, choice, name)
    accepted = [may(kind, {field: [choice.subject]} if field else {}) for kind, field in answers]
    if choice.kind == "answer_dates" and state.next_session is not None:
        accepted = [may("campaign.answer_dates", {"yes": [state.next_session.dates, []]})]
    return WaitingFor(
        kind=choice.kind,
        subject=choice.subject,
        name=subject_name,
        waits_for=choice.waits_for,
        waits_for_name=name(choice.waits_for) if choice.waits_for is not None else None,
        told=sentence if choice.absent is None else with_absence(sentence, name(choice.absent)),
        answers=accepted,
        gm_answers=accepted if choice.waits_for is not None and choice.kind not in THEIR_OWN else [],
        absent=choice.absent,
        optional=choice.kind in OPTIONAL,
        hidden=False,
        choice=choice.choice,
    )


def _describe_choice(
    state: CampaignState, choice: Pending, name: Name
) -> tuple[str | Sentence, Sentence, list[tuple[str, str]]]:
    """The subject, the sentence, and the commands that answer, each with the field that names the subject."""
    match choice.kind:
        case "post_pending":
            entry = state.pending_entries[choice.subject]
            values = {
                "credit": in_words(entry.credit, name),
                "amount": number(entry.amount),
                "currency": currency_name(entry.currency, name),
            }
            if entry.consent is None and kind_of(entry.debit) == WORLD:
                sentence = say("A GM has to agree that {credit} gets {amount} {currency}", **values)
            else:
                debit = in_words(entry.debit, name)
                sentence = say("{debit} offers {credit} {amount} {currency}", debit=debit, **values)
            answers = [("campaign.post_pending", "entry"), ("campaign.void_pending", "entry")]
            return in_words(entry.credit, name), sentence, answers
        case "approve_activity":
            plan = state.activities[choice.subject]
            sentence = say(
                "{who} wants to spend {span} on “{title}”",
                who=name(plan.character),
                span=span(plan.takes),
                title=plan.title,
            )
            answers = [("campaign.approve_activity", "activity"), ("campaign.stop_activity", "activity")]
            return plan.title, sentence, answers
        case "decline_deletion":
            who = name(AccountId(UUID(choice.subject)))
            sentence = say(
                "{who} asks to delete the campaign: delete it, or decline; after {n} days they may do it",
                who=who,
                n=DELETION_WAITS_DAYS,
            )
            return who, sentence, [("campaign.decline_deletion", "")]
        case "agree_to_arrival":
            arrival = state.arrivals[choice.subject]
            sentence = asks_to_bring(name(arrival.player), arrival.name, arrival.system, arrival.brings)
            answers = [("campaign.agree_to_arrival", "arrival"), ("campaign.decline_arrival", "arrival")]
            return arrival.name, sentence, answers
        case "answer_dates":
            who = name(AccountId(UUID(choice.subject)))
            return who, say("{who} is asked when they can play next", who=who), []
        case _:
            who = name(state.undo_requests[ActionId(UUID(choice.subject))])
            sentence = say("{who} asks for an undo: undo it, or decline", who=who)
            return who, sentence, [("campaign.decline_undo", "action_id")]
