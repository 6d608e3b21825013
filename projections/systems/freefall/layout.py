"""How FREE/FALL's sheet is arranged."""

from typing import Final

from projections.layout import Layout, Shown, panel

MACHINE_POINTS = Shown("meter", of="current", out_of="permanent")

SHEET: Final = Layout(
    vitals=(
        *("player", "class", "npc", "crew", "status", "fate", "mode"),
        *("attributes", "slots", "dice_pool"),
    ),
    panels=(
        panel("Specialties", "specialties"),
        panel("Gear", "gear", "machine"),
        panel("Going on", "turn", "pending_harm", "treatments", "repairs"),
    ),
    displays={
        "attributes": Shown("meter", of="current", out_of="maximum", beside=("bound_by",)),
        "slots": Shown("slots", of="slot"),
        "MachineView.frm": MACHINE_POINTS,
        "MachineView.sys": MACHINE_POINTS,
        "GearView.bonus": Shown("modifier"),
        "GearView.repair_due": Shown("moment"),
        "MachineStands.repair_due": Shown("moment"),
        "WorkStands.due": Shown("moment"),
        "PendingHarmView.machine": Shown("thing"),
        "PendingHarmView.options": Shown("table", of="option"),
        "TurnView.actions": Shown("table", of="tag"),
        "Option.item": Shown("thing"),
        "Attack.item": Shown("thing"),
        "Attack.target": Shown("thing"),
        "WorkView.about": Shown("thing"),
        "WorkView.due": Shown("moment"),
        "WorkView.price": Shown("money"),
        "ActionStands.conflict_dice": Shown("die", of="natural", out_of="sides"),
    },
    hidden_fields=frozenset(
        {"character_id", "name", "filled", "SlotView.harm_id", "BindingView.by", "MachineView.machine_id"}
        | {
            "TurnView.turn_id",
            "ActionStands.id",
            "ActionStands.actor",
            "ActionStands.opposed_to",
            "ActionStands.conflict_id",
        }
        | {"PendingHarmView.call_id", "WorkView.id", "Die.proof"}
    ),
)
