"""How Frame State's sheet is arranged."""

from typing import Final

from projections.layout import Layout, Shown, panel

MONEY = Shown("money")
DIE = Shown("die", of="offer", beside=("bonus", "idle"))
POINTS = Shown("number", of="maximum", beside=("unspent",))

SHEET: Final = Layout(
    vitals=("player", "currency", "active_frame", "mission"),
    panels=(
        panel("Pilot", "background", "pools", "attributes"),
        panel("Frames", "frames"),
        panel("Going on", "open_tests"),
    ),
    displays={
        "currency": MONEY,
        "active_frame": Shown("thing"),
        "pools": POINTS,
        "attributes": DIE,
        "FrameView.attributes": DIE,
        "FrameView.pools": POINTS,
        "AttributeView.bonus": Shown("modifier"),
        "FrameView.replaced_by": Shown("thing"),
        "FrameView.upgrade_cost_total": MONEY,
        "FrameView.carried_cost": MONEY,
        "FrameView.refit_credit": MONEY,
        "FrameView.price_due": MONEY,
        "PoolView.cost": MONEY,
        "PoolView.refit_cost": MONEY,
        "TestDie.die": Shown("die"),
    },
    hidden_fields=frozenset(
        {"pilot_id", "name", "PoolView.owner", "FrameView.frame_id", "MissionView.mission_id"}
        | {"OpenTestView.test_id"}
    ),
)
