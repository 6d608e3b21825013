"""Everything that a table waits for."""

from domain.campaign import membership
from domain.campaign.money import escrow
from domain.campaign.play import next_session
from domain.campaign.settings import settings_of
from domain.campaign.state import CampaignState
from domain.systems import SYSTEMS
from domain.systems.system import Pending


def pending(state: CampaignState) -> list[Pending]:
    """Everything the table waits for: choices of systems, dates, money, plans, undos, arrivals, a deletion.

    A choice of a former member, or of an observer, is a GM's. In an archived campaign nothing waits but
    a deletion.
    """
    choices: list[Pending] = []
    deletion = state.deletion
    deletions = [] if deletion is None else [Pending("decline_deletion", str(deletion.account), state.founder)]
    if state.archived_at is not None:  # nothing else can be answered before a GM unarchives the campaign
        return membership.waited_for(state, deletions)
    for system, inner in state.systems.items():
        settings = settings_of(system, state.changed_settings)
        choices += [*SYSTEMS[system].pending(inner), *SYSTEMS[system].also_pending(inner, settings)]
    choices += [Pending("answer_dates", str(account), account) for account in next_session.without_answer(state)]
    if not (state.activities or state.pending_entries or state.undo_requests or state.arrivals or deletions):
        return membership.waited_for(state, choices)
    activities = state.activities.values()
    prices = {activity.entry_id for activity in activities}
    entries = [entry for entry in state.pending_entries.values() if entry.entry_id not in prices]
    consents = [Pending("post_pending", entry.entry_id, escrow.consenter_of(state, entry)) for entry in entries]
    plans = [
        Pending("approve_activity", activity.activity_id, None) for activity in activities if activity.due is None
    ]
    undos = [Pending("undo_request", str(action_id), None) for action_id in state.undo_requests]
    arrivals = [Pending("agree_to_arrival", arrival, None) for arrival in state.arrivals]
    return membership.waited_for(state, [*choices, *consents, *plans, *undos, *arrivals, *deletions])
