"""How Overdrive's sheet is arranged."""

from typing import Final

from projections.layout import Layout, Shown, panel

STEPS = Shown("pips", of="value", out_of=6, beside=("next_saves_on",))

SHEET: Final = Layout(
    vitals=("player", "status", "od", "fatal_counter", "tactical_points"),
    panels=(
        panel("Abilities", "stats", "skills", "scores", "equipment"),
        panel("Mechs", "mechs"),
        panel("Weapons", "weapons"),
        panel("Relations", "relations", "reactions", "invocations_allowed", "bonus_dice_given"),
        panel("Going on", "damage_goes_to", "pending_loss", "recovery", "objective", "questions"),
    ),
    displays={
        "od": Shown("number", of="available", beside=("spent",)),
        "fatal_counter": STEPS,
        "relations": Shown("table", of="with"),
        "MechView.phase_counter": STEPS,
    },
    hidden_fields=frozenset(
        {
            "character_id",
            "name",
            "pairing",
            "fatal",
            "CounterView.steps",
            "ReactionView.id",
            "MechView.mech_id",
            "MechView.phase",
        }
        | {"RecoveryView.target"}
    ),
)
