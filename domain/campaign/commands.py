"""The commands of a campaign, the same for all rule systems."""

from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType, field

from domain.campaign.messages.archive import ArchiveCampaign, UnarchiveCampaign
from domain.campaign.messages.base_types import Account, Command, EndDate, Moved, Span
from domain.campaign.messages.character_arrivals import ArrivalCommand
from domain.campaign.messages.character_retirement import RetirementCommand
from domain.campaign.messages.deletion_request import DeletionRequestCommand
from domain.campaign.messages.downtime import DowntimeCommand
from domain.campaign.messages.escrow import EscrowCommand
from domain.campaign.messages.imports import IdentifyPerson
from domain.campaign.messages.names import Rename
from domain.campaign.messages.next_session import NextSessionCommand
from domain.campaign.messages.things import ThingCommand
from domain.campaign.messages.timers import TimerCommand
from domain.campaign.messages.undo import DeclineUndo
from domain.command_context import Role
from domain.dice.dialects import Notation
from domain.dice.notation import LENGTH_MAX
from domain.field_references import bounded, new, ref
from domain.ids import AccountId, ActionId, CharacterId, SystemId
from domain.personal_text import FreeText, Key, Name, Reference, ShortText

DiceEpoch = Annotated[int, Meta(ge=1, le=1_000_000_000)]


class StartSession(Command, frozen=True, tag="campaign.start_session"):
    """Open a play session. `present` are the members at the table; left out, all who may act."""

    title: Annotated[Name, new] | None = None
    present: Annotated[list[AccountId], Meta(max_length=50)] | None = None


class EndSession(Command, frozen=True, tag="campaign.end_session"):
    """Close the play session, and with it an open scene."""


class MarkAttendance(Command, frozen=True, tag="campaign.mark_attendance"):
    """Say that a member came to the play session, or left it; GMs for any member, others for themselves."""

    account: AccountId
    present: bool


class StartScene(Command, frozen=True, tag="campaign.start_scene"):
    """Open a scene; one that is open closes."""

    name: Annotated[Name, new] | None = None


class EndScene(Command, frozen=True, tag="campaign.end_scene"):
    """Close the open scene."""


class StartDowntime(Command, frozen=True, tag="campaign.start_downtime"):
    """Begin time between adventures; with a `span`, or `until` a date, it ends by itself."""

    reason: FreeText | None = None
    span: Span | None = None
    until: EndDate | UnsetType = UNSET


class EndDowntime(Command, frozen=True, tag="campaign.end_downtime"):
    """End time between adventures."""


class AdvanceCalendar(Command, frozen=True, tag="campaign.advance_calendar"):
    """Move campaign time forward `by` a span, or `until` a date."""

    by: Span = Span()
    until: EndDate | UnsetType = UNSET


class AssignCharacter(Command, frozen=True, tag="campaign.assign_character"):
    """Hand a character to a member; None leaves it without a player."""

    character: Annotated[CharacterId, ref("character")]
    player: AccountId | None


class SetSetting(Command, frozen=True, tag="campaign.set_setting"):
    """Change a setting of the campaign or of one of its systems; `value` null restores the default."""

    key: Annotated[Key, ref("setting")]
    value: Annotated[Any, ref("setting_value", of="key")]


class AddNote(Command, frozen=True, tag="campaign.add_note"):
    """Write something down for the table."""

    text: Annotated[FreeText, Meta(min_length=1)]
    about: Annotated[CharacterId, ref("character")] | None = None


class PostEntry(Command, frozen=True, tag="campaign.post_entry"):
    """Move currency from the account `debit` to the account `credit` by hand.

    A `pending` entry is only set aside, until `post_pending` or `void_pending`. `new` names an account or a
    currency on purpose that this campaign does not know.
    """

    currency: Annotated[Key, ref("currency", free=True)]
    debit: Annotated[Account, ref("account", free=True)]
    credit: Annotated[Account, ref("account", free=True)]
    amount: Annotated[Moved, bounded(ends="posted", of=("debit", "currency"))]
    reason: Annotated[FreeText, Meta(min_length=1)]
    pending: bool = False
    new: bool | UnsetType = UNSET


class RollDice(Command, frozen=True, tag="campaign.roll"):
    """Roll dice by notation, e.g. `4d6kh3+2`; `label` says what for, `character` who for.

    The notation is that of the setting `campaign.notation`, unless another dialect is given.
    """

    notation: Annotated[
        str, Meta(max_length=1000, examples=["2d6", "d20", "4d6kh3+2"]), new, bounded(most=LENGTH_MAX)
    ]
    label: ShortText | None = None
    character: Annotated[CharacterId, ref("character")] | None = None
    dialect: Notation | UnsetType = UNSET


class EndDiceEpoch(Command, frozen=True, tag="campaign.end_dice_epoch"):
    """Publish the seed that the open dice came from, and go on with new seeds."""


class AddDiceWords(Command, frozen=True, tag="campaign.add_dice_words"):
    """Add words of one's own to all later dice of this epoch. `digest` is their SHA-256."""

    digest: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z", examples=["5e" * 32]), new]


class RevealHiddenDice(Command, frozen=True, tag="campaign.reveal_hidden_dice"):
    """Publish the seed that the hidden dice of an ended epoch came from."""

    epoch: Annotated[DiceEpoch, ref("dice_epoch")]


class ProveHiddenRoll(Command, frozen=True, tag="campaign.prove_hidden_roll"):
    """Publish the key of one hidden roll: `hidden:<epoch>:<roll>:…` in the `proof` of its dice."""

    epoch: Annotated[DiceEpoch, ref("dice_epoch")]
    roll: Annotated[int, Meta(ge=0, le=1_000_000)]


class RevealAction(Command, frozen=True, tag="campaign.reveal_action"):
    """Open a hidden action with its consequences to everyone from here on; there is no way back."""

    action_id: Annotated[ActionId, ref("hidden_action")]


class EnterPlay(Command, frozen=True, tag="campaign.enter_play"):
    """Show everyone something that was created hidden, as it is now; its past stays hidden.

    It happens by itself where an open command names it. There is no way back.
    """

    subject: Annotated[Reference, ref("hidden")]


SHEET_DEPTH_MAX = 12
"""The depth to which a sheet may be nested and its personal texts are looked for."""


class AdoptCharacter(Command, frozen=True, tag="campaign.adopt_character"):
    """Bring a character in. `sheet` is what `GET …/sheets/{character}` returns, whole or its inner `sheet`.

    A player's character waits until a GM agrees, where the settings do not say otherwise.
    """

    system: Annotated[SystemId, ref("system")]
    sheet: dict[str, Any]


PlayCommand = (
    StartSession
    | EndSession
    | MarkAttendance
    | StartScene
    | EndScene
    | StartDowntime
    | EndDowntime
    | AdvanceCalendar
    | AssignCharacter
    | SetSetting
    | AddNote
    | PostEntry
    | RollDice
    | EndDiceEpoch
    | AddDiceWords
    | RevealHiddenDice
    | ProveHiddenRoll
    | EnterPlay
    | AdoptCharacter
    | Rename
    | RetirementCommand
    | ArrivalCommand
    | DeletionRequestCommand
    | IdentifyPerson
    | DowntimeCommand
    | EscrowCommand
    | ThingCommand
    | TimerCommand
    | NextSessionCommand
    | DeclineUndo
)
"""The commands of `…/actions`, which are decided on a campaign's state alone."""


class CreateCampaign(Command, frozen=True, tag="campaign.create"):
    """Create a campaign; the asker becomes its GM."""

    name: Name
    systems: Annotated[list[SystemId], Meta(min_length=1, max_length=5)]
    settings: Annotated[dict[Key, Any], Meta(max_length=100)] = field(default_factory=dict)


class JoinCampaign(Command, frozen=True, omit_defaults=True, tag="campaign.join"):
    """Accept an invite. The service has checked the code; `role` is the invite's.

    `made_for_them`: the invite is for this account only.
    """

    role: Role
    invite_id: Reference
    made_for_them: bool = False


class ChangeRole(Command, frozen=True, tag="campaign.change_role"):
    """Change the role of a member."""

    account: AccountId
    role: Role


class HandOver(Command, frozen=True, tag="campaign.hand_over"):
    """Make another member a GM, and take the role `stay_as`; the founder's place goes along."""

    account: AccountId
    stay_as: Role = "player"


class RemoveMember(Command, frozen=True, tag="campaign.remove_member"):
    """Remove a member; every member may remove themselves."""

    account: AccountId


MembershipCommand = (
    CreateCampaign | JoinCampaign | ChangeRole | HandOver | RemoveMember | ArchiveCampaign | UnarchiveCampaign
)
"""Commands with routes of their own, because they need more than a member's word."""


class AcceptRestore(Command, frozen=True, tag="campaign.accept_restore"):
    """Continue a log that was restored from a backup, with new dice seeds."""


class ForgetMember(Command, frozen=True, tag="campaign.forget_member"):
    """Remove a member whose account is deleted; if no GM is left, the longest-standing member becomes one.

    `removed`: another had removed them before an older log was restored.
    """

    account: AccountId
    removed: bool = False


class FollowHidden(Command, frozen=True, tag="campaign.follow_hidden"):
    """Record the consequences of an open action for things that only some may know of."""

    of: ActionId


OperatorCommand = AcceptRestore | ForgetMember | FollowHidden
"""Commands of the operator alone, on the command line, and of the service itself."""
