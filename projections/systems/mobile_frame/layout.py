"""How Mobile Frame's battle is arranged: it has no sheets."""

from typing import Final

from projections.layout import Layout, Shown, panel

BATTLE: Final = Layout(
    vitals=("round", "doomsday", "order", "extra_round", "waiting"),
    panels=(
        panel("Companies", "players", "absent"),
        panel("Frames", "frames"),
        panel("The field", "covers", "stations", "ruler_units"),
        panel("Going on", "turns", "stack", "points_left"),
        panel("Battles fought", "results"),
    ),
    displays={
        "doomsday": Shown("clock", out_of=11),
        "FrameStands.dice": Shown(
            "die", of="value", out_of="sides", beside=("color", "range", "given_to", "used")
        ),
        "TurnStands.attacker": Shown("thing"),
        "TurnStands.waits_for": Shown("thing"),
    },
    hidden_fields=frozenset(
        {
            "battle_id",
            "waits_for",
            "DieLies.place",
            "PlayerStands.player",
            "FrameStands.frame",
            "FrameStands.owner",
        }
        | {"FrameStands.character", "CoverStands.cover", "StationStands.station", "StationStands.controller"}
        | {"TurnStands.frame", "AttackStands.target", "ResultStands.battle_id"}
        | {"PlayerScored.player"}
    ),
)
