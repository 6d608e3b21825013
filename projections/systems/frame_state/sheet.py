"""A pilot's sheet: everything stored, and everything computed from it (FS-4)."""

from typing import Annotated, Literal

from msgspec import Struct

from domain.field_references import balance, ref
from domain.ids import AccountId
from domain.rejection import Missing
from domain.sentences import say
from domain.systems.frame_state.attributes import (
    advances,
    beyond,
    experimental,
    grade,
    offer,
    pool_maximum,
    refit_cost,
    unspent,
)
from domain.systems.frame_state.ledger import CREDITS
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import Attribute, Build, Category, Frame, FrameState, Modifier, TestDie
from domain.systems.frame_state.tables import GRADES, HIGHEST_GRADE, AttributeType, Method, Owner, TestType


class PoolView(Struct, frozen=True):
    """The points of one category. `cost` buys one more, `refit_cost` moves one."""

    owner: Owner
    granted: int
    advances: int
    maximum: int
    unspent: int
    advance_limit: int
    advances_left: int
    cost: int
    refit_cost: int


class AttributeView(Struct, frozen=True):
    """One attribute. `average` and `maximum` are those of the die it offers; null for values and blanks.

    `bonus` is added to every result: the `experimental` parts, and one for each grade past d12. Parts in an
    attribute without a die give nothing until it has one (FS-A7): they are `idle`, and the bonus is 0.
    """

    category: Annotated[str, ref("category")]
    type: AttributeType
    base: int
    invested: int
    grade: int
    offer: int | str
    experimental: list[int]
    freed: int
    bonus: int
    idle: bool
    average: int | None
    maximum: int | None


class FrameView(Struct, frozen=True):
    """One of the pilot's machines, present or past.

    `price_due`: the unpaid price of one that is flown after a lost one; nothing is due for a wreck.
    """

    frame_id: str
    name: str
    status: Literal["active", "lost", "replaced"]
    replaced_by: str | None
    upgrade_cost_total: int
    upgrade_costs: dict[str, int]
    carried_cost: int
    refit_credit: int
    salvaged: bool
    price_due: int
    pools: dict[Annotated[str, ref("category")], PoolView]
    attributes: dict[Annotated[str, ref("attribute")], AttributeView]


class MissionView(Struct, frozen=True):
    """The mission a pilot is on."""

    mission_id: str
    name: str


class OpenTestView(Struct, frozen=True):
    """A test that waits for this pilot's roll. `mark` is null while it is hidden."""

    test_id: str
    test_type: TestType
    mark: int | None
    dice: list[TestDie]
    modifiers: list[Modifier]
    method: Method
    situation: str | None


class PilotSheetView(Struct, frozen=True):
    """A pilot. `pools` and `attributes` are the pilot's own; each frame brings its own."""

    pilot_id: str
    name: str
    player: AccountId | None
    background: str | None
    currency: Annotated[int, balance(CREDITS)]
    pools: dict[Annotated[str, ref("category")], PoolView]
    attributes: dict[Annotated[str, ref("attribute")], AttributeView]
    active_frame: str | None
    frames: list[FrameView]
    mission: MissionView | None
    open_tests: list[OpenTestView]


def sheet(
    state: FrameState,
    pilot: str,
    settings: Settings | None = None,  # noqa: ARG001 — the shape of a sheet
) -> PilotSheetView:
    """The sheet of one pilot. Raises `unknown_pilot`."""
    owner = state.pilots.get(pilot)
    if owner is None:
        raise Missing("unknown_pilot", say("There is no such pilot in this campaign."))
    active = state.active_frame(owner)
    mission = state.mission_of(pilot)
    return PilotSheetView(
        pilot_id=owner.pilot_id,
        name=owner.name,
        player=owner.player_id,
        background=owner.background,
        currency=owner.currency,
        pools=_pools(state, owner.build, "pilot"),
        attributes=_attributes(state, owner.build, "pilot"),
        active_frame=active.frame_id if active is not None else None,
        frames=[_frame(state, state.frames[frame_id]) for frame_id in owner.frames if frame_id in state.frames],
        mission=MissionView(mission.mission_id, mission.name) if mission is not None else None,
        open_tests=[
            OpenTestView(
                test_id=test.test_id,
                test_type=test.test_type,
                mark=None if test.mark_hidden else test.mark,
                dice=test.dice,
                modifiers=test.modifiers,
                method=test.method,
                situation=test.situation,
            )
            for test in state.tests
            if test.pilot == pilot
        ],
    )


def _frame(state: FrameState, frame: Frame) -> FrameView:
    """One machine with everything that belongs to it."""
    return FrameView(
        frame_id=frame.frame_id,
        name=frame.name,
        status=frame.status,
        replaced_by=frame.replaced_by,
        upgrade_cost_total=frame.upgrade_cost_total,
        upgrade_costs=dict(sorted(frame.upgrade_costs.items())),
        carried_cost=frame.carried_cost,
        refit_credit=frame.refit_credit,
        salvaged=frame.salvaged,
        price_due=(frame.price_due or 0) if frame.status == "active" else 0,
        pools=_pools(state, frame.build, "frame"),
        attributes=_attributes(state, frame.build, "frame"),
    )


def _owned(state: FrameState, owner: Owner) -> list[tuple[str, Category]]:
    """The categories of a pilot or of a frame, in a fixed order."""
    categories = state.catalogue.categories if state.catalogue is not None else {}
    return [(id_, category) for id_, category in sorted(categories.items()) if category.owner == owner]


def _pools(state: FrameState, build: Build, owner: Owner) -> dict[str, PoolView]:
    """The points of every category."""
    views = {}
    for id_, category in _owned(state, owner):
        bought = advances(build, id_)
        maximum = pool_maximum(build, id_)
        views[id_] = PoolView(
            owner=owner,
            granted=maximum - bought,
            advances=bought,
            maximum=maximum,
            unspent=unspent(build, id_, category),
            advance_limit=category.advance_limit,
            advances_left=category.advance_limit - bought,
            cost=category.cost,
            refit_cost=refit_cost(category),
        )
    return views


def _attributes(state: FrameState, build: Build, owner: Owner) -> dict[str, AttributeView]:
    """Every attribute, bought or not."""
    return {
        key: _attribute(build, id_, key, attribute)
        for id_, category in _owned(state, owner)
        for key, attribute in sorted(category.attributes.items())
    }


def _attribute(build: Build, category: str, key: str, attribute: Attribute) -> AttributeView:
    """One attribute with everything computed from its points."""
    invested = build.invested.get(key, 0)
    reached = grade(attribute, invested)
    die = GRADES[min(reached, HIGHEST_GRADE)] if attribute.type == "die" and reached > 0 else None
    idle = attribute.type == "die" and die is None and experimental(build, key) > 0
    return AttributeView(
        category=category,
        type=attribute.type,
        base=attribute.base,
        invested=invested,
        grade=reached,
        offer=offer(attribute, invested),
        experimental=list(build.experimental.get(key, [])),
        freed=build.freed.get(key, 0),
        bonus=0 if idle else experimental(build, key) + beyond(attribute, invested),
        idle=idle,
        average=die.average if die is not None else None,
        maximum=die.sides if die is not None else None,
    )
