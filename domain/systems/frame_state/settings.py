"""Settings of Frame State. A setting that matters to an event is recorded in it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

RefitScope = Literal["any", "frame"]
FrameLoss = Literal["pools_lost", "pools_kept"]
Gate = Literal["off", "public"]
NewFrame = Literal["due", "charged", "on_replacement"]
StartingCurrency = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a Frame State campaign; every one has the rulebook's answer as its default."""

    refit_scope: Annotated[
        RefitScope, Meta(description="Which categories may be refitted: any, or only those of frames.")
    ] = "any"
    handler_rolls: Annotated[
        bool, Meta(description="Whether NPCs may roll tests after all. Their dice never ace.")
    ] = False
    beyond_d12_bonus: Annotated[
        bool,
        Meta(description="Whether Tuning may go past d12, where every further grade adds 1 to the die."),
    ] = False
    frame_loss: Annotated[
        FrameLoss,
        Meta(description="Whether a frame's points are lost with it or move to the frame that replaces it."),
    ] = "pools_lost"
    mission_costs: Annotated[
        Gate,
        Meta(description="Whether integrity lost and weapons used are charged when a mission concludes."),
    ] = "off"
    salvage: Annotated[
        Gate, Meta(description="Whether a recovered wreck pays for refits of the frame that replaces it.")
    ] = "off"
    new_frame: Annotated[
        NewFrame,
        Meta(
            description="When the price of a frame that follows a lost one is paid: due before the pilot's next "
            "mission, charged when the frame is created, or only when it formally replaces the lost one."
        ),
    ] = "due"
    starting_currency: Annotated[
        StartingCurrency | None,
        Meta(description="How many credits a new pilot starts with; left out: what the preset says, or none."),
    ] = None
