"""The loss of a frame, its replacement, and salvage of the wreck (FS-C15 to FS-C17).

Codes: frame_already_lost, frame_still_active, frame_already_replaced, same_frame, new_frame_not_active,
not_that_pilots_frame, salvage_off, frame_not_lost, wreck_not_recovered, already_salvaged, insufficient_currency,
no_replacement_asked.
"""

from msgspec import UNSET, UnsetType

from domain.command_context import CommandContext
from domain.mechanics.refused_fields import About
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.frame_state.access import (
    find_frame,
    find_pilot,
    require_active_frame,
    require_handler,
    require_player_or_handler,
)
from domain.systems.frame_state.attributes import advances
from domain.systems.frame_state.commands import LoseFrame, ReplaceFrame, SalvageFrame
from domain.systems.frame_state.events import (
    CurrencySpent,
    FrameLost,
    FrameReplaced,
    SalvageCredited,
)
from domain.systems.frame_state.frame_replacement_events import FrameReplacementAsked, FrameReplacementDeclined
from domain.systems.frame_state.ledger import spend
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import Build, Frame, FrameState, Pilot, Pool, Replacement

SALVAGE_SHARE = 10
"""A wreck is worth one tenth of its upgrades (FS-C17)."""


def lose_frame(state: FrameState, context: CommandContext, command: LoseFrame) -> list[FrameLost]:
    """FS-C15: a frame is lost, its ledger stays on record."""
    require_handler(context, "FS-C15")
    frame = find_frame(state, context, command.frame, "FS-C15", active=True)
    if frame.status != "active":
        raise Rejection("frame_already_lost", say("{frame} is already lost.", frame=frame.name), rule="FS-C15")
    return [
        FrameLost(
            frame=frame.frame_id,
            pilot=frame.pilot_id,
            upgrade_cost_total=frame.upgrade_cost_total,
            upgrade_costs=dict(frame.upgrade_costs),
            cause=command.cause,
        )
    ]


def replace_frame(
    state: FrameState, context: CommandContext, command: ReplaceFrame
) -> list[FrameReplacementAsked | FrameReplacementDeclined | CurrencySpent | FrameReplaced]:
    """FS-C16: a pilot asks, the Handler confirms; the Handler's own call confirms at once."""
    request = _request_meant(state, context, command)
    if request is not None:
        command = ReplaceFrame(request.old, request.new, request.pilot, command.decline)
    pilot = _pilot_meant(state, context, command)
    require_player_or_handler(pilot, context, "FS-C16")
    if command.decline is True:
        with About(*(("pilot",) if command.pilot is not None else ("old", "new", "pilot"))):
            return [_declined(state, context, pilot)]
    old, new = _exchange(state, pilot, command)
    context.filled.update(pilot=pilot.pilot_id, old=old.frame_id, new=new.frame_id)
    spent = _price_paid(state, pilot, new)
    if not context.is_gm:
        if Replacement(pilot=pilot.pilot_id, old=old.frame_id, new=new.frame_id) in state.replacements:
            return []  # already asked for; the Handler knows
        return [FrameReplacementAsked(pilot=pilot.pilot_id, old=old.frame_id, new=new.frame_id)]
    settings: Settings = context.settings
    replaced = FrameReplaced(
        pilot=pilot.pilot_id,
        old=old.frame_id,
        new=new.frame_id,
        carried_ledger_total=new.upgrade_cost_total + old.upgrade_cost_total,
        carried_amount=old.upgrade_cost_total,
        carried_credit=old.refit_credit,
        frame_loss=settings.frame_loss,
        advances_lost=_advances_lost(state, old, new) if settings.frame_loss == "pools_kept" else UNSET,
    )
    return [*spent, replaced]


def _advances_lost(state: FrameState, old: Frame, new: Frame) -> dict[str, int] | UnsetType:
    """The advances beyond the limit of their category, which the new frame cannot keep; unset: it keeps all."""
    beyond = {id_: _advances_together(state, id_, old.build, new.build)[1] for id_ in sorted(old.build.pools)}
    return {id_: bought for id_, bought in beyond.items() if bought > 0} or UNSET


def _declined(state: FrameState, context: CommandContext, pilot: Pilot) -> FrameReplacementDeclined:
    """Decline a pilot's request. Raises `no_replacement_asked`."""
    wish = next((replacement for replacement in state.replacements if replacement.pilot == pilot.pilot_id), None)
    if wish is None:
        raise Rejection(
            "no_replacement_asked", say("{pilot} has asked for no replacement.", pilot=pilot.name), rule="FS-C16"
        )
    context.filled.update(pilot=wish.pilot, old=wish.old, new=wish.new)
    return FrameReplacementDeclined(wish.pilot, wish.old, wish.new, back=not context.is_gm)


def _request_meant(state: FrameState, context: CommandContext, command: ReplaceFrame) -> Replacement | None:
    """The only open request, which a Handler's call without arguments confirms; None unless there is one."""
    nothing_said = command.old is None and command.new is None and command.pilot is None
    if context.is_gm and nothing_said and len(state.replacements) == 1:
        return state.replacements[0]
    return None


def _pilot_meant(state: FrameState, context: CommandContext, command: ReplaceFrame) -> Pilot:
    """The pilot named, or the one whose frame is named."""
    pilot = command.pilot
    for frame_id in (command.old, command.new):
        if pilot is None and frame_id is not None:
            pilot = find_frame(state, context, frame_id, "FS-C16", active=False).pilot_id
    return find_pilot(state, context, pilot, "FS-C16")


def _exchange(state: FrameState, pilot: Pilot, command: ReplaceFrame) -> tuple[Frame, Frame]:
    """The lost frame and the new one; if left out, the pilot's latest wreck and their active frame."""
    old = _own_frame(state, pilot, command.old) if command.old is not None else _youngest_wreck(state, pilot)
    if old.status == "active":
        raise Rejection(
            "frame_still_active",
            say("{frame} is not lost; only a lost frame is replaced.", frame=old.name),
            rule="FS-C16",
        )
    if old.status == "replaced":
        raise Rejection(
            "frame_already_replaced", say("{frame} is already replaced.", frame=old.name), rule="FS-C16"
        )
    if command.new is None:
        return old, require_active_frame(state, pilot, "FS-C16")
    new = _own_frame(state, pilot, command.new)
    if new.frame_id == old.frame_id:
        raise Rejection("same_frame", "A frame cannot replace itself.", rule="FS-C16")
    if new.status != "active":
        raise Rejection(
            "new_frame_not_active",
            say("{frame} is lost too: name the frame that {pilot} flies now.", frame=new.name, pilot=pilot.name),
            rule="FS-C16",
        )
    return old, new


def _own_frame(state: FrameState, pilot: Pilot, frame_id: str) -> Frame:
    """A frame of this pilot. Raises `not_that_pilots_frame`."""
    frame = state.frames.get(frame_id)
    if frame is None or frame.pilot_id != pilot.pilot_id:
        raise Rejection(
            "not_that_pilots_frame",
            say("That is not a frame of {pilot}.", pilot=pilot.name),
            rule="FS-C16",
        )
    return frame


def _youngest_wreck(state: FrameState, pilot: Pilot) -> Frame:
    """The last lost frame that was not replaced; else the last lost one, whose status then refuses."""
    frames = [state.frames[frame_id] for frame_id in pilot.frames if frame_id in state.frames]
    if not frames:
        raise Rejection("no_frame", say("{pilot} never had a frame.", pilot=pilot.name), rule="FS-C16")
    return state.lost_frame(pilot) or frames[-1]


def _price_paid(state: FrameState, pilot: Pilot, new: Frame) -> list[CurrencySpent]:
    """The event that pays for a new frame, if the catalogue has a price. Raises `insufficient_currency`."""
    price = state.catalogue.new_frame_price if state.catalogue is not None else None
    if new.price_due is not UNSET:
        price = new.price_due  # it followed a lost one: its price is due since then, or paid
    return [spend(pilot, price, "new_frame", "FS-C16", frame=new)] if price else []


def salvage_frame(state: FrameState, context: CommandContext, command: SalvageFrame) -> list[SalvageCredited]:
    """FS-C17, public: a recovered wreck pays for refits of its successor."""
    wreck = find_frame(state, context, command.frame, "FS-C17", active=False)
    pilot = find_pilot(state, context, wreck.pilot_id, "FS-C17")
    require_player_or_handler(pilot, context, "FS-C17")
    settings: Settings = context.settings
    if settings.salvage == "off":
        raise Rejection(
            "salvage_off",
            "This campaign plays without salvage; the setting “Salvage” turns it on.",
            rule="FS-C17",
        )
    if wreck.status == "active":
        raise Rejection("frame_not_lost", say("{frame} is not lost.", frame=wreck.name), rule="FS-C17")
    if not command.wreck_recovered:
        raise Rejection(
            "wreck_not_recovered",
            say("Nothing of {frame} was recovered, so there is nothing to salvage.", frame=wreck.name),
            rule="FS-C17",
        )
    if wreck.salvaged:
        raise Rejection("already_salvaged", say("{frame} is already salvaged.", frame=wreck.name), rule="FS-C17")
    worth = wreck.upgrade_cost_total if context.decided_before else _unsalvaged(state, wreck)
    return [
        SalvageCredited(
            frame=wreck.frame_id,
            credited_to=_line(state, wreck)[-1].frame_id,
            upgrade_cost_total=wreck.upgrade_cost_total,
            amount=worth // SALVAGE_SHARE,
            salvage=settings.salvage,
        )
    ]


def _unsalvaged(state: FrameState, wreck: Frame) -> int:
    """The cost of a wreck's upgrades that were not salvaged from another wreck (FS-C17: each counts once).

    A ledger is carried over to a replacement, so it is in several wrecks. Raises `already_salvaged`.
    """
    after = _line(state, wreck)[1:]
    taken_with = next((frame for frame in after if frame.salvaged), None)
    worth = wreck.upgrade_cost_total - _salvaged_before(state, wreck)
    if taken_with is None and (worth > 0 or wreck.upgrade_cost_total <= 0):
        return max(0, worth)
    sentence = say("Every upgrade of {frame} came from wrecks that are already salvaged.", frame=wreck.name)
    if taken_with is not None:
        sentence = say(
            "The upgrades of {frame} were salvaged with {other}, which had taken its place.",
            frame=wreck.name,
            other=taken_with.name,
        )
    raise Rejection("already_salvaged", sentence, rule="FS-C17")


def _salvaged_before(state: FrameState, frame: Frame) -> int:
    """The part of a frame's carried ledger that was salvaged from the wrecks that it replaced, directly or not."""
    total, open_ = 0, [frame]
    frame_ids = {frame.frame_id}
    while open_:
        heir = open_.pop()
        for frame_id in sorted(state.frames):
            old = state.frames[frame_id]
            if old.replaced_by != heir.frame_id or frame_id in frame_ids:
                continue
            frame_ids.add(frame_id)
            if old.salvaged:
                total += old.upgrade_cost_total
            else:
                open_.append(old)
    return min(total, frame.carried_cost)


def _line(state: FrameState, wreck: Frame) -> list[Frame]:
    """The wreck and its successors, one after another."""
    line, frame_ids = [wreck], {wreck.frame_id}
    while line[-1].replaced_by is not None and line[-1].replaced_by not in frame_ids:
        following = state.frames.get(line[-1].replaced_by)
        if following is None:
            break
        line.append(following)
        frame_ids.add(following.frame_id)
    return line


def frame_lost(state: FrameState, event: FrameLost) -> None:
    """Mark the frame as lost."""
    frame = state.frames.get(event.frame)
    if frame is not None and frame.status == "active":
        frame.status = "lost"


def replacement_asked(state: FrameState, event: FrameReplacementAsked) -> None:
    """Set the pilot's only request."""
    waiting = [replacement for replacement in state.replacements if replacement.pilot != event.pilot]
    state.replacements = [*waiting, Replacement(pilot=event.pilot, old=event.old, new=event.new)]


def replacement_declined(state: FrameState, event: FrameReplacementDeclined) -> None:
    """Remove the pilot's request."""
    state.replacements = [replacement for replacement in state.replacements if replacement.pilot != event.pilot]


def frame_replaced(state: FrameState, event: FrameReplaced) -> None:
    """Carry over ledger and credit, and the points where the setting keeps them."""
    state.replacements = [replacement for replacement in state.replacements if replacement.pilot != event.pilot]
    old, new = state.frames.get(event.old), state.frames.get(event.new)
    if old is not None:
        old.status = "replaced"
        old.replaced_by = event.new
        old.refit_credit -= event.carried_credit
    if new is not None:
        new.upgrade_cost_total += event.carried_amount
        new.carried_cost += event.carried_amount
        new.refit_credit += event.carried_credit
    if event.frame_loss == "pools_kept" and old is not None and new is not None and old is not new:
        _points_come_over(state, old.build, new.build)
        old.build = Build()


def _points_come_over(state: FrameState, old: Build, new: Build) -> None:
    """Replace the new frame's placed points by the old frame's; advances of both stay as far as limits allow."""
    together = {id_: _advances_together(state, id_, old, new)[0] for id_ in old.pools}
    for id_, pool in old.pools.items():
        new.pools[id_] = Pool(granted=pool.granted, advances=together[id_])
    new.invested = dict(old.invested)
    new.freed = dict(old.freed)
    for attribute, parts in old.experimental.items():
        new.experimental[attribute] = [*parts, *new.experimental.get(attribute, [])]


def _advances_together(state: FrameState, category: str, old: Build, new: Build) -> tuple[int, int]:
    """How many advances of a category two frames keep in one, and how many are beyond its limit."""
    categories = state.catalogue.categories if state.catalogue is not None else {}
    bought = advances(old, category) + advances(new, category)
    if category not in categories:
        return bought, 0
    kept_advances = max(advances(old, category), min(bought, categories[category].advance_limit))
    return kept_advances, bought - kept_advances


def salvage_credited(state: FrameState, event: SalvageCredited) -> None:
    """Mark the wreck as salvaged and add the refit credit."""
    wreck, heir = state.frames.get(event.frame), state.frames.get(event.credited_to)
    if wreck is not None:
        wreck.salvaged = True
    if heir is not None:
        heir.refit_credit += event.amount
