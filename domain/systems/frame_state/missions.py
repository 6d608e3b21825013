"""Missions: their pilots, their payouts, and their costs (FS-C10, FS-W1).

Codes: mission_already_running, new_frame_unpaid, mission_without_pilots, mission_not_running, which_mission,
pilot_not_on_mission, mission_costs_off, payout_already_posted, only_a_worker; unknown_mission.
"""

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.mechanics.omitted_ids import all_of, the_one
from domain.rejection import Forbidden, Rejection
from domain.sentences import either, say, say_many
from domain.systems.frame_state.access import find_pilot, require_handler
from domain.systems.frame_state.commands import ConcludeMission, CostsDraft, PostPayout, StartMission
from domain.systems.frame_state.events import (
    CurrencyAwarded,
    CurrencyCharged,
    MissionConcluded,
    MissionCosts,
    MissionStarted,
    TestCancelled,
)
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import REMEMBERED, FrameState, Mission, Pilot, Proposal, SettledMission, Test
from domain.systems.frame_state.tables import MISSION_COST_UNIT
from domain.systems.system import DueCommand


def start_mission(state: FrameState, context: CommandContext, command: StartMission) -> list[MissionStarted]:
    """FS-C10: start a mission; a pilot is on one at a time."""
    require_handler(context, "FS-C10")
    if command.pilots is None:
        pilot_ids = all_of(context, "pilots", _pilots_at_hand(state, context))
    else:
        pilot_ids = list(dict.fromkeys(command.pilots))
    pilots = [find_pilot(state, context, pilot, "FS-C10") for pilot in pilot_ids]
    if not pilots:
        raise Rejection("mission_without_pilots", "A mission needs at least one pilot.", rule="FS-C10")
    for pilot in pilots:
        running = state.mission_of(pilot.pilot_id)
        if running is not None:
            raise Rejection(
                "mission_already_running",
                say(
                    "{pilot} is already on the mission “{mission}”; conclude it first.",
                    pilot=pilot.name,
                    mission=running.name,
                ),
                rule="FS-C10",
            )
        _refuse_unpaid(state, context, pilot)
    return [
        MissionStarted(
            mission_id=derive_id("mission", context.action_id),
            name=command.name,
            pilots=[pilot.pilot_id for pilot in pilots],
        )
    ]


def _pilots_at_hand(state: FrameState, context: CommandContext) -> list[str]:
    """Everyone's pilots but for those of members who are away; once decided, those who flew stay."""
    pilots = sorted(state.pilots)
    if context.decided_before:
        return pilots
    return [pilot_id for pilot_id in pilots if not context.is_away(state.pilots[pilot_id].player_id)]


def _refuse_unpaid(state: FrameState, context: CommandContext, pilot: Pilot) -> None:
    """Raise `new_frame_unpaid` for a pilot whose frame followed a lost one and is not paid for."""
    settings: Settings = context.settings
    frame = state.active_frame(pilot)
    if frame is None or not frame.price_due or settings.new_frame == "on_replacement" or context.decided_before:
        return
    raise Rejection(
        "new_frame_unpaid",
        say_many(
            "{pilot} still owes {n} credit for {frame}. Replacing the lost frame pays it; or start the mission "
            "without {pilot}.",
            "{pilot} still owes {n} credits for {frame}. Replacing the lost frame pays them; or start the mission "
            "without {pilot}.",
            frame.price_due,
            frame=frame.name,
            pilot=pilot.name,
        ),
        rule="FS-C16",
        pilot=pilot.pilot_id,
        frame=frame.frame_id,
        price=frame.price_due,
    )


def conclude_mission(
    state: FrameState, context: CommandContext, command: ConcludeMission
) -> list[MissionConcluded | CurrencyCharged | TestCancelled]:
    """FS-C10: conclude the mission. Payouts become owed; costs, where played with, are charged at once.

    Open tests and proposals of its pilots are cancelled with it.
    """
    require_handler(context, "FS-C10")
    mission = _running(state, context, command.mission_id)
    settings: Settings = context.settings
    if command.costs and settings.mission_costs == "off":
        raise Rejection(
            "mission_costs_off",
            "This campaign plays without mission costs; the setting “Mission costs” turns them on.",
            rule="FS-W1",
        )
    for pilot in (*command.payouts, *command.costs):
        if pilot not in mission.pilots:
            raise _not_on_it(state, mission, pilot)
    concluded = MissionConcluded(
        mission_id=mission.mission_id,
        payouts=command.payouts,
        concluded_by=context.action_id,
        costs={
            pilot: MissionCosts(integrity_lost=costs.integrity_lost, weapon_uses=costs.weapon_uses)
            for pilot, costs in command.costs.items()
        },
        mission_costs=settings.mission_costs,
    )
    return [concluded, *_charges(state, mission, command.costs), *_called_off(state, context, mission)]


def _called_off(state: FrameState, context: CommandContext, mission: Mission) -> list[TestCancelled]:
    """The tests and proposals to cancel: hidden ones with a hidden conclusion, open ones with an open one.

    A re-decided conclusion cancels those that it cancelled then, because old ones cancelled none.
    """
    if context.visibility != "all":
        return []
    then = context.meant_ids() if context.meant_ids is not None else None
    waiting: list[tuple[str, Test | Proposal]] = [
        (test.test_id, test) for test in state.tests if test.roller == "pilot"
    ]
    waiting += [(proposal.proposal_id, proposal) for proposal in state.proposals]
    return [
        TestCancelled(test_id=id_, mission=mission.mission_id, dice=test.dice, modifiers=test.modifiers)
        for id_, test in waiting
        if test.pilot in mission.pilots and not test.hidden and (then is None or id_ in then)
    ]


def _charges(state: FrameState, mission: Mission, costs: dict[str, CostsDraft]) -> list[CurrencyCharged]:
    """The mission's charge to each pilot, whose balance may go below zero (FS-W1, public)."""
    charges = []
    for pilot in mission.pilots:
        used = costs.get(pilot)
        sheet = state.pilots.get(pilot)
        if used is None or sheet is None:
            continue
        amount = MISSION_COST_UNIT * (used.integrity_lost + sum(used.weapon_uses))
        if amount:
            charges.append(
                CurrencyCharged(
                    pilot=pilot,
                    amount=amount,
                    reason="mission_costs",
                    balance_after=sheet.currency - amount,
                    mission_id=mission.mission_id,
                )
            )
    return charges


def post_payout(state: FrameState, context: CommandContext, command: PostPayout) -> list[CurrencyAwarded]:
    """FS-W1: a worker posts a payout, once."""
    if context.role != "worker":
        raise Forbidden(
            "only_a_worker",
            "Payouts are made automatically after a mission; to pay by hand, award currency.",
            rule="FS-W1",
        )
    pilot = find_pilot(state, context, command.pilot, "FS-W1")
    mission = _mission(state, command.mission_id)
    amount = mission.owed.get(command.pilot) if mission is not None else None
    if amount is None:
        raise Rejection(
            "payout_already_posted",
            say("Nothing is owed to {pilot} for that mission.", pilot=pilot.name),
            rule="FS-W1",
        )
    return [
        CurrencyAwarded(
            pilot=pilot.pilot_id,
            amount=amount,
            reason="mission",
            balance_after=pilot.currency + amount,
            mission_id=command.mission_id,
        )
    ]


def due_commands(state: FrameState) -> list[DueCommand]:
    """The payouts that are due, oldest mission first."""
    return [
        DueCommand(
            command=PostPayout(mission_id=mission.mission_id, pilot=pilot),
            cause=mission.concluded_by,
            subject=f"{mission.mission_id}:{pilot}",
        )
        for mission in state.missions
        for pilot in sorted(mission.owed)
        if pilot in state.pilots and mission.concluded_by is not None
    ]


def _running(state: FrameState, context: CommandContext, mission_id: str | None) -> Mission:
    """The mission that a command means. Raises `unknown_mission`, `mission_not_running` or `which_mission`."""
    if mission_id is not None:
        mission = _mission(state, mission_id)
        if mission is not None and mission.state == "running":
            return mission
        if mission is None and all(mission.mission_id != mission_id for mission in state.settled_missions):
            raise Rejection("unknown_mission", "There is no such mission.", rule="FS-C10")
        raise Rejection("mission_not_running", "That mission is already concluded.", rule="FS-C10")
    return the_one(
        context,
        "mission_id",
        [mission for mission in state.missions if mission.state == "running"],
        code="which_mission",
        message=lambda several: say(
            "Which mission? {choices}.", choices=either(mission.name for mission in several)
        ),
        rule="FS-C10",
        describe=lambda mission: {"mission_id": mission.mission_id, "name": mission.name},
        none=lambda: Rejection("mission_not_running", "No mission is running.", rule="FS-C10"),
    )


def _mission(state: FrameState, mission_id: str) -> Mission | None:
    """A mission that runs or still owes payouts."""
    return next((mission for mission in state.missions if mission.mission_id == mission_id), None)


def _not_on_it(state: FrameState, mission: Mission, pilot: str) -> Rejection:
    """The rejection of a pilot who was not on the mission, and so neither pays nor is paid for it."""
    sheet = state.pilots.get(pilot)
    sentence = say("Nobody of that name was on the mission “{mission}”.", mission=mission.name)
    if sheet is not None:
        sentence = say("{pilot} was not on the mission “{mission}”.", pilot=sheet.name, mission=mission.name)
    return Rejection("pilot_not_on_mission", sentence, rule="FS-C10", choices=mission.pilots)


def mission_started(state: FrameState, event: MissionStarted) -> None:
    """Add the mission."""
    if _mission(state, event.mission_id) is None:
        state.missions.append(Mission(mission_id=event.mission_id, name=event.name, pilots=list(event.pilots)))


def mission_concluded(state: FrameState, event: MissionConcluded) -> None:
    """End the mission and keep its payouts as owed."""
    mission = _mission(state, event.mission_id)
    if mission is None:
        return
    mission.state = "concluded"
    mission.owed = {pilot: amount for pilot, amount in event.payouts.items() if amount > 0}
    mission.concluded_by = event.concluded_by
    _settle(state, mission)


def payout_posted(state: FrameState, event: CurrencyAwarded) -> None:
    """Remove the payout from those owed."""
    mission = _mission(state, event.mission_id) if event.mission_id is not None else None
    if mission is not None and mission.state == "concluded":
        mission.owed.pop(event.pilot, None)
        _settle(state, mission)


def _settle(state: FrameState, mission: Mission) -> None:
    """Move a concluded mission without open payouts to the remembered ones, whose number is limited."""
    if not mission.owed:
        state.missions.remove(mission)
        settled = SettledMission(mission_id=mission.mission_id, name=mission.name)
        state.settled_missions = [*state.settled_missions, settled][-REMEMBERED:]
