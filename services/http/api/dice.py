"""`…/dice`: the meaning of a dice expression, and the dice that a member keeps by name. Nothing is rolled."""

from typing import Annotated

from litestar import Controller, delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter
from msgspec import UNSET, Meta, Struct, UnsetType

from domain.campaign.play.free_rolls import notation_of_campaign
from domain.campaign.play.saved_rolls import RollName, SavedRoll
from domain.dice.dialects import Notation
from projections.campaign.dice_expressions import DiceReading, read_dice
from services.accounts.saved_rolls import delete_roll, save_roll, saved_rolls
from services.campaign.visible_campaign import VisibleCampaign
from services.http.api.caller import CampaignCaller
from services.http.api.openapi_roles import MEMBERS
from services.http.middleware.time_limit import takes_long
from services.reading.recent_own_rolls import OwnRoll, rolls_of_evening

NotationQuery = Annotated[
    str, QueryParameter(max_length=1000, description="The dice expression, as somebody types or pastes it.")
]
DialectQuery = Annotated[
    Notation | None,
    QueryParameter(description="Whose notation it is in; left out, that of the setting `campaign.notation`."),
]


NameQuery = Annotated[str, QueryParameter(max_length=1000, description="The name of saved dice.")]


class NewSavedRoll(Struct, frozen=True, forbid_unknown_fields=True):
    """Dice to keep by a name, in the notation of the setting `campaign.notation` or of another `dialect`.

    `was` is the name that they had before.
    """

    name: RollName
    notation: Annotated[str, Meta(max_length=1000, examples=["2d6", "4d6kh3+2"])]
    dialect: Notation | UnsetType = UNSET
    was: RollName | None = None


class SavedRolls(Struct, frozen=True):
    """The dice that you keep in a campaign, by name; `lately` are the last ones that you threw in twelve hours."""

    as_of: int
    rolls: list[SavedRoll]
    lately: list[OwnRoll]


class DiceController(Controller):
    """Dice expressions before they are rolled."""

    path = "/api/campaigns/{campaign_id:str}/dice"
    tags = ("actions",)

    @get("/read", summary="What would these dice do?", operation_class=MEMBERS, guards=[takes_long])
    async def read(
        self,
        visible: NamedDependency[VisibleCampaign],
        notation: NotationQuery,
        dialect: DialectQuery = None,
    ) -> DiceReading:
        """The meaning of a dice expression, with its range, its average and its odds; no die falls.

        Where tools read it differently, `readings` has each way. Refuses `notation_too_large`,
        and `notation_invalid` with the `column`, the parts `expected` there and, where it is known, the notation
        to `write`.
        """
        spoken = notation_of_campaign(visible.state) if dialect is None else dialect
        with visible.refusing():
            return read_dice(notation, spoken, visible.language)

    @get("/saved", summary="Your saved rolls", operation_class=MEMBERS)
    async def saved(self, asker: NamedDependency[CampaignCaller]) -> SavedRolls:
        """The dice that you keep by name in this campaign, unseen by all others.

        Any is rolled by its `notation` with the dialect `fieldlog`, and its name as the `label`. Beside them are
        up to ten different rolls of yours, the newest first.
        """
        visible = await asker.application.campaigns.see(asker.campaign_id, asker.account)
        return SavedRolls(
            visible.seq,
            await saved_rolls(asker.application.saved_rolls, visible),
            await rolls_of_evening(asker.application.log, asker.application.views, visible),
        )

    @post("/saved", summary="Save a roll", operation_class=MEMBERS, status_code=200)
    async def save(self, asker: NamedDependency[CampaignCaller], data: JSONBody[NewSavedRoll]) -> SavedRoll:
        """Keep dice by a name, in place of what you kept by it before; `was` renames. Sent again, it is the same.

        Refuses `notation_invalid` and `notation_too_large` as `…/dice/read`, `saved_roll_not_found` and
        `saved_roll_name_taken` (409) where `was` is given, and `too_many_saved_rolls`.
        """
        visible = await asker.application.campaigns.see(asker.campaign_id, asker.account)
        await asker.application.rates.act(visible.campaign_id, visible.account)
        dialect = None if data.dialect is UNSET else data.dialect
        with visible.refusing():
            return await save_roll(
                asker.application.saved_rolls, visible, data.name, data.notation, dialect, data.was
            )

    @delete("/saved", summary="Delete a saved roll", operation_class=MEMBERS)
    async def delete(self, asker: NamedDependency[CampaignCaller], name: NameQuery) -> None:
        """Delete dice that you keep by a name; if there are none, it is the same."""
        visible = await asker.application.campaigns.see(asker.campaign_id, asker.account)
        await asker.application.rates.act(visible.campaign_id, visible.account)
        await delete_roll(asker.application.saved_rolls, visible, name)
