"""Everything that a table waits for."""

from collections.abc import Iterator
from typing import NamedTuple

from domain.campaign import membership
from domain.campaign.lifecycle import archive
from domain.campaign.money import escrow
from domain.campaign.play import next_session
from domain.campaign.settings import settings_of
from domain.campaign.state import CampaignState
from domain.ids import AccountId, SystemId
from domain.rejection import Stale
from domain.sentences import say
from domain.systems import SYSTEMS
from domain.systems.system import Pending

CHOICE_MADE = "choice_made"
"""The refusal of an answer to what was answered before."""


def require_open(state: CampaignState, choice: str) -> None:
    """Raise `choice_made` unless the choice of this name can still be made in a state.

    In an archived campaign, that is why nothing can be answered: `campaign_archived`.
    """
    if all(choice != other.choice for other in (*pending(state), *(step for _, step in _steps(state)))):
        archive.require_open(state)
        raise Stale(
            CHOICE_MADE, say("That was answered meanwhile: look at what is waited for now, then decide again.")
        )


class NamedChoices(NamedTuple):
    """The choices of rule systems that are waited for, and the steps that nothing waits for, by their commands."""

    awaited: list[tuple[str, Pending]]
    steps: list[tuple[str, Pending]]

    def only(self, account: AccountId, *, is_gm: bool) -> dict[str, str]:
        """The names of choices by their commands, where a member can mean only one by giving such a command.

        A GM may answer in the place of each player. Each member may take a step, as far as this is known.
        """
        choices: dict[str, set[str]] = {}
        own = [(command, choice) for command, choice in self.awaited if is_gm or choice.waits_for == account]
        for command, choice in [*own, *self.steps]:
            choices.setdefault(command, set()).add(choice.choice)
        return {command: next(iter(names)) for command, names in choices.items() if len(names) == 1}


def named_choices(state: CampaignState) -> NamedChoices:
    """All choices and steps that have a name."""
    several = _of_systems(state), _steps(state)
    return NamedChoices(*([(f"{system}.{choice.kind}", choice) for system, choice in own] for own in several))


def _of_systems(state: CampaignState) -> Iterator[tuple[SystemId, Pending]]:
    """The choices of rule systems, each with its system."""
    for system, inner in state.systems.items():
        settings = settings_of(system, state.changed_settings)
        for choice in (*SYSTEMS[system].pending(inner), *SYSTEMS[system].also_pending(inner, settings)):
            yield system, choice


def _steps(state: CampaignState) -> Iterator[tuple[SystemId, Pending]]:
    """The steps of play that nothing waits for, each with its system."""
    for system, inner in state.systems.items():
        yield from ((system, step) for step in SYSTEMS[system].steps(inner))


def pending(state: CampaignState) -> list[Pending]:
    """Everything the table waits for: choices of systems, dates, money, plans, undos, arrivals, a deletion.

    A choice of a former member, or of an observer, is a GM's. In an archived campaign nothing waits but
    a deletion.
    """
    deletion = state.deletion
    deletions = (
        []
        if deletion is None
        else [Pending.of("decline_deletion", str(deletion.account), state.founder, deletion.at)]
    )
    if state.archived_at is not None:  # nothing else can be answered before a GM unarchives the campaign
        return membership.waited_for(state, deletions)
    choices = [choice for _, choice in _of_systems(state)]
    if state.next_session is not None:
        dates = state.next_session.dates
        choices += [
            Pending.of("answer_dates", str(account), account, dates)
            for account in next_session.without_answer(state)
        ]
    if not (state.activities or state.pending_entries or state.undo_requests or state.arrivals or deletions):
        return membership.waited_for(state, choices)
    activities = state.activities.values()
    prices = {activity.entry_id for activity in activities}
    entries = [entry for entry in state.pending_entries.values() if entry.entry_id not in prices]
    consents = [Pending.of("post_pending", entry.entry_id, escrow.consenter_of(state, entry)) for entry in entries]
    plans = [
        Pending.of("approve_activity", activity.activity_id, None)
        for activity in activities
        if activity.due is None
    ]
    undos = [Pending.of("undo_request", str(action_id), None) for action_id in state.undo_requests]
    arrivals = [Pending.of("agree_to_arrival", arrival, None) for arrival in state.arrivals]
    return membership.waited_for(state, [*choices, *consents, *plans, *undos, *arrivals, *deletions])
