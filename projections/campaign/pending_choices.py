"""What the table waits for, as text: whose choice, about what, and which commands answer it."""

from contextlib import suppress
from typing import get_args
from uuid import UUID

import msgspec
from msgspec import structs

from domain.campaign.aggregate import pending
from domain.campaign.membership import players_of
from domain.campaign.settings import language_of, settings_of
from domain.campaign.state import CampaignState
from domain.ids import AccountId, ActionId, SystemId
from domain.sentences import Sentence, say, term
from domain.systems import SYSTEMS
from domain.systems.system import Pending, RuleSystem
from projections.awaited import MayAnswer, Name, Waiting, WaitingFor, may, told_of_absence
from projections.boards import as_may_be_asked
from projections.campaign_words.narration import in_words, span
from projections.languages import render
from projections.systems import SYSTEM_VIEWS
from projections.words import command_title

Key = tuple[str, str, AccountId | None, AccountId | None]


class Awaited(WaitingFor, frozen=True):
    """An entry of a board's `waits_for`, with its sentences as text."""

    name: str
    told: str


def awaited(
    state: CampaignState, name: Name, common: CampaignState | None = None, language: str | None = None
) -> list[Awaited]:
    """Everything that is pending, as a reader of this state may know it: the systems', then the campaign's own.

    `common` is the campaign as everybody knows it, where that is known. It is told in `language`; None: the
    campaign's.
    """
    language, listed = language or language_of(state.changed_settings), _of_systems(state, name, common)
    return [_in(language, listed.get(_key(each)) or _other(state, each, name)) for each in pending(state)]


def _key(each: Pending | WaitingFor) -> Key:
    return each.kind, each.subject, each.waits_for, each.absent


def _of_systems(state: CampaignState, name: Name, common: CampaignState | None) -> dict[Key, WaitingFor]:
    """The choices on the boards of systems that have anything pending."""
    able, found = players_of(state), dict[Key, WaitingFor]()
    for system, inner in state.systems.items():
        rules, settings = SYSTEMS[system], settings_of(system, state.changed_settings)
        if rules.pending(inner) or rules.also_pending(inner, settings):
            waiting = [
                each for drawn in SYSTEM_VIEWS[system].waits_for for each in drawn(inner, name, settings, able)
            ]
            found |= {_key(each): each for each in as_may_be_asked(state, common, system, waiting)}
    return found


def _in(language: str, each: WaitingFor) -> Awaited:
    fields = {field: getattr(each, field) for field in each.__struct_fields__}
    for field in ("name", "told"):
        if isinstance(fields[field], Sentence):
            fields[field] = render(fields[field], language)
    return Awaited(**fields)


def unlisted(state: CampaignState, system: SystemId, each: Pending, name: Name) -> WaitingFor:
    """A system's choice that no board lists: accepted forms of the command it is named after."""
    rules, inner, settings = SYSTEMS[system], state.systems[system], settings_of(system, state.changed_settings)
    waiting = Waiting(rules, inner, name, settings, players_of(state))
    command, player = f"{system}.{each.kind}", each.waits_for or each.absent
    what = name(each.subject)
    who = name(each.waits_for) if each.waits_for is not None else say("A GM")
    title = command_title(command)
    told = say("{who} is asked for an answer, “{command}”: {what}", who=who, command=title, what=what)
    return waiting.entry(each.kind, each.subject, what, player, told, _naming(rules, command, each.subject))


def _naming(rules: RuleSystem, command: str, subject: str) -> list[MayAnswer]:
    """The forms in which a command can name its subject and leave everything else out."""
    found = []
    for kind in get_args(rules.commands):
        if kind.__struct_config__.tag == command:
            for field in structs.fields(kind):
                answer = may(command, {field.encode_name: [subject]})
                with suppress(msgspec.ValidationError):
                    msgspec.convert(answer.command, kind)
                    found.append(answer)
    return found


def _other(state: CampaignState, each: Pending, name: Name) -> WaitingFor:
    """A choice that no board lists: a system's, or the campaign's own."""
    for system, inner in state.systems.items():
        settings = settings_of(system, state.changed_settings)
        of_system = [*SYSTEMS[system].pending(inner), *SYSTEMS[system].also_pending(inner, settings)]
        if any((found.kind, found.subject) == (each.kind, each.subject) for found in of_system):
            return unlisted(state, system, each, name)
    return _own(state, each, name)


def _own(state: CampaignState, each: Pending, name: Name) -> WaitingFor:
    """A choice of the campaign itself, which accepts every answer; a GM may answer for a player."""
    called, told, answers = _asked(state, each, name)
    accepted = [may(kind, {field: [each.subject]}) for kind, field in answers]
    return WaitingFor(
        kind=each.kind,
        subject=each.subject,
        name=called,
        waits_for=each.waits_for,
        waits_for_name=name(each.waits_for) if each.waits_for is not None else None,
        told=told if each.absent is None else told_of_absence(told, name(each.absent)),
        answers=accepted,
        gm_answers=accepted if each.waits_for is not None else [],
        absent=each.absent,
        optional=False,
        hidden=False,
    )


def _asked(
    state: CampaignState, each: Pending, name: Name
) -> tuple[str | Sentence, Sentence, list[tuple[str, str]]]:
    """The subject, the sentence, and the commands that answer, each with the field that names the subject."""
    match each.kind:
        case "post_pending":
            entry = state.pending_entries[each.subject]
            told = say(
                "{debit} offers {credit} {amount} {currency}",
                debit=in_words(entry.debit, name),
                credit=in_words(entry.credit, name),
                amount=entry.amount,
                currency=term(entry.currency),
            )
            answers = [("campaign.post_pending", "entry"), ("campaign.void_pending", "entry")]
            return in_words(entry.credit, name), told, answers
        case "approve_activity":
            plan = state.activities[each.subject]
            told = say(
                "{who} wants to spend {span} on “{title}”",
                who=name(plan.character),
                span=span(plan.takes),
                title=plan.title,
            )
            answers = [("campaign.approve_activity", "activity"), ("campaign.stop_activity", "activity")]
            return plan.title, told, answers
        case _:
            who = name(state.undo_requests[ActionId(UUID(each.subject))])
            told = say("{who} asks for an undo: undo it, or decline", who=who)
            return who, told, [("campaign.decline_undo", "action_id")]
