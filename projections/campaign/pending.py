"""What the table waits for, in words: whose word, about what, and which commands answer it."""

from uuid import UUID

from domain.campaign.aggregate import pending
from domain.campaign.lifecycle.membership import players_of
from domain.campaign.settings import language_of, settings_of
from domain.campaign.state import CampaignState
from domain.ids import AccountId, ActionId
from domain.sentences import Sentence, say, term
from domain.systems import SYSTEMS
from domain.systems.system import Pending
from projections.awaited import Name, WaitingFor, may, told_of_absence
from projections.boards import as_may_be_asked
from projections.campaign.narration import in_words, span
from projections.languages import render
from projections.systems import SYSTEM_VIEWS

Key = tuple[str, str, AccountId | None, AccountId | None]


class Awaited(WaitingFor, frozen=True):
    """The same as on boards, with its sentences as text."""

    name: str
    told: str


def awaited(state: CampaignState, name: Name, common: CampaignState | None = None) -> list[Awaited]:
    """Everything that is pending, as a reader of this state may know it: the systems', then the campaign's own.

    `common` is the campaign as everybody knows it, where that is known.
    """
    language, listed = language_of(state.changed_settings), _of_systems(state, name, common)
    return [_in(language, listed.get(_key(each)) or _own(state, each, name)) for each in pending(state)]


def _key(each: Pending | WaitingFor) -> Key:
    return each.kind, each.subject, each.waits_for, each.absent


def _of_systems(state: CampaignState, name: Name, common: CampaignState | None) -> dict[Key, WaitingFor]:
    """What the boards of those systems list for which something is pending."""
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


def _own(state: CampaignState, each: Pending, name: Name) -> WaitingFor:
    """What the campaign itself waits for, which takes any of the answers; a GM may give them for a player."""
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
    """What it is about, in words, and which commands answer it, with the field that names its subject."""
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
        case "undo_request":
            who = name(state.undo_requests[ActionId(UUID(each.subject))])
            told = say("{who} asks for an undo: undo it, or decline", who=who)
            return who, told, [("campaign.decline_undo", "action_id")]
        case _:
            who = name(each.subject)
            return who, say("{who} has a choice to make", who=who), []
