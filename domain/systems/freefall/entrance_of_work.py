"""Treatments and repairs that enter play with the character or thing that they are for.

From then on they are finished openly. A state that does not know of one learns of it, and that its price was
paid; where it is known already, only its readers change.
"""

from copy import deepcopy
from typing import Any, TypeVar
from uuid import UUID

from msgspec import UNSET, UnsetType, structs

from domain.ids import ActionId
from domain.systems.freefall.entrance_events import CharacterEntered, GearEntered, HarmEntered
from domain.systems.freefall.state import FreefallState, Repair, Treatment

Work = TypeVar("Work", Treatment, Repair)
WithWork = CharacterEntered | GearEntered | HarmEntered


NO_ACTION = ActionId(UUID(int=0))
"""Stands for the action that an event will be in, which is not known when the event is made."""


def told_work(
    state: FreefallState, character: str, harm: str | None = None, item: str | None = None
) -> dict[str, Any]:
    """The work on a character, or on one harm or item of theirs, as an event tells it; empty if there is none."""
    treatments = treatments_of(state, character, harm) if item is None else UNSET
    repairs = repairs_of(state, character, item) if harm is None else UNSET
    fields = {"treatments": treatments, "repairs": repairs}
    fields = {name: work for name, work in fields.items() if work is not UNSET}
    return {**fields, "entered_in": NO_ACTION} if fields else {}


def treatments_of(state: FreefallState, character: str, harm: str | None = None) -> list[Treatment] | UnsetType:
    """The treatments of a character, or of one harm of theirs, as told; unset if there are none."""
    treatments = [treatment for treatment in state.listed_treatments() if treatment.character == character]
    return [_as_told(treatment) for treatment in treatments if harm in (None, treatment.harm_id)] or UNSET


def repairs_of(state: FreefallState, character: str, item: str | None = None) -> list[Repair] | UnsetType:
    """The repairs of a character's gear, or of one item, as told; unset if there are none."""
    repairs = [repair for repair in state.listed_repairs() if repair.character == character]
    return [_as_told(repair) for repair in repairs if item in (None, repair.item)] or UNSET


def _as_told(work: Work) -> Work:
    """The work without the hidden action in which it was agreed."""
    work_copy = deepcopy(work)
    return work_copy if work_copy.visibility == "all" else structs.replace(work_copy, agreed_in=None)


def work_entered(state: FreefallState, event: WithWork, *, learns: bool) -> None:
    """Open the told work; `learns`: the state did not know of the thing, and so learns of the work, too."""
    if event.entered_in is UNSET:
        return
    if not isinstance(event, GearEntered):
        _open_work(state, state.treatments, event.treatments, event.entered_in, learns=learns)
    if not isinstance(event, HarmEntered):
        _open_work(state, state.repairs, event.repairs, event.entered_in, learns=learns)


def _open_work(
    state: FreefallState,
    work_by_id: dict[str, Work],
    event_work: list[Work] | UnsetType,
    entered_in: ActionId,
    *,
    learns: bool,
) -> None:
    for work in event_work or []:
        own = work_by_id.get(_id(work))
        if own is None and learns:
            own = deepcopy(work)
            _pay(state, own, own.price)
        if own is not None:
            is_open = own.visibility == "all"
            work_by_id[_id(work)] = (
                own if is_open else structs.replace(own, visibility="all", agreed_in=entered_in)
            )


def forget_work(state: FreefallState, event: WithWork) -> None:
    """Remove known work, and its payment, before it is told again."""
    match event:
        case _ if event.entered_in is UNSET:
            return  # an old event, from when work did not enter with its thing
        case CharacterEntered():
            who, harm, item = event.character.character_id, None, None
        case HarmEntered():
            who, harm, item = event.character, event.harm.harm_id, ""
        case GearEntered():
            who, harm, item = event.character, "", event.item
    _forget(state, state.treatments, treatments_of(state, who, harm))
    _forget(state, state.repairs, repairs_of(state, who, item))


def _forget(state: FreefallState, work_by_id: dict[str, Work], event_work: list[Work] | UnsetType) -> None:
    for work in event_work or []:
        del work_by_id[_id(work)]
        _pay(state, work, -work.price)


def _id(work: Treatment | Repair) -> str:
    return work.treatment_id if isinstance(work, Treatment) else work.repair_id


def _pay(state: FreefallState, work: Treatment | Repair, price: int) -> None:
    if work.payer is not None and price:
        state.credits[work.payer] = state.credits.get(work.payer, 0) - price
