"""Settings of FREE/FALL. A setting that matters to an event is recorded in it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

AvStacking = Literal["highest", "sum"]
DeclarationOrder = Literal["acceptance", "gm"]
AutoClear = Literal["ask", "regroup", "downtime"]
DowntimeRestore = Literal["full", "gm"]
PermanentType = Literal["any", "same"]
CreationValues = Literal["free", "public"]
Credits = Literal["tracked", "off"]
CrewDebt = Literal["allowed", "refused"]
HarmChooser = Literal["owner", "anyone"]
TnNamedBy = Literal["declared", "gm", "roller"]
BrokenMachines = Literal["repair", "restore", "never"]


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a FREE/FALL campaign; every one has the rulebook's answer as its default."""

    av_stacking: Annotated[
        AvStacking, Meta(description="Whether only the highest armour counts, or all of it adds up.")
    ] = "highest"
    declaration_order: Annotated[
        DeclarationOrder,
        Meta(description="Whether actions resolve in reverse order of declaration, or the GM may set the order."),
    ] = "acceptance"
    auto_clear_temporary: Annotated[
        AutoClear,
        Meta(
            description="Whether temporary harm clears itself at a regroup or after downtime; else a GM is asked."
        ),
    ] = "ask"
    downtime_restore: Annotated[
        DowntimeRestore,
        Meta(description="Whether downtime restores every attribute in full, or as the GM says."),
    ] = "full"
    permanent_type: Annotated[
        PermanentType,
        Meta(
            description="Whether a temporary harm of any type may turn permanent, or one of the same type first."
        ),
    ] = "any"
    creation_values: Annotated[
        CreationValues,
        Meta(description="Whether permanent attributes are free at creation, or share out 12, 8 and 6."),
    ] = "free"
    credits: Annotated[Credits, Meta(description="Whether the crew's credits pay for treatments and repairs.")] = (
        "tracked"
    )
    crew_debt: Annotated[CrewDebt, Meta(description="Whether a crew may agree to a price that it cannot pay.")] = (
        "allowed"
    )
    harm_chooser: Annotated[
        HarmChooser,
        Meta(description="Whether only a character's player chooses how harm is resolved, or a GM may too."),
    ] = "owner"
    tn_named_by: Annotated[
        TnNamedBy,
        Meta(
            description="Who names the TN: the GM, else whoever declares; the GM alone; or whoever rolls, bonuses "
            "included."
        ),
    ] = "declared"
    broken_machines: Annotated[
        BrokenMachines,
        Meta(description="Whether a broken machine works again after a repair, once it is restored, or never."),
    ] = "repair"
