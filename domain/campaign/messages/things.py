"""Commands and events of the things of the group, and of amounts that are split."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.campaign.messages.base_types import Account, Command, Event, Moved
from domain.field_references import bounded, new, ref
from domain.personal_text import FreeText, Name, OwnWord, Reference

PORTIONS_MAX = 20
PARTS_MAX = 1_000

Parts = Annotated[int, Meta(ge=1, le=PARTS_MAX)]


class CreateThing(Command, frozen=True, tag="campaign.create_thing"):
    """Give a thing a name, and so many of it to an account; a player's waits until a GM agrees.

    `kind` is the group's own word for such things. More of it come from `world:found` by `campaign.move_thing`.
    """

    name: Annotated[Name, new]
    account: Annotated[Account, ref("holder", free=True)]
    amount: Moved = 1
    kind: OwnWord | None = None
    description: FreeText | None = None
    new: bool | UnsetType = UNSET


class MoveThing(Command, frozen=True, tag="campaign.move_thing"):
    """Move so many of a thing from one account to another.

    GMs move anything at once, players what is theirs: at once to an account of theirs, or to the world's, such as
    `world:used_up`; to another it is set aside until its owner agrees, or a GM where it has none.
    """

    thing: Annotated[Reference, ref("thing")]
    debit: Annotated[Account, ref("holder", free=True)]
    credit: Annotated[Account, ref("holder", free=True)]
    amount: Annotated[Moved, bounded(ends="balance", of=("debit", "thing"))] = 1
    reason: FreeText = ""
    new: bool | UnsetType = UNSET


class Share(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An account that gets so many `parts` of an amount that is split."""

    account: Annotated[Account, ref("holder", free=True)]
    parts: Parts = 1


class Split(Command, frozen=True, tag="campaign.split"):
    """Split an amount of money, or of a thing, among accounts by their parts, in whole numbers.

    The largest remainders get one more each; of equal ones, those that are named first. A share of `debit` stays
    there. A GM's goes at once, a player's is set aside for each until they agree.
    """

    currency: Annotated[Reference, ref("currency", free=True)]
    debit: Annotated[Account, ref("holder", free=True)]
    among: Annotated[list[Share], Meta(min_length=1, max_length=PORTIONS_MAX)]
    amount: Annotated[Moved, bounded(ends="balance", of=("debit", "currency"))]
    reason: FreeText = ""
    new: bool | UnsetType = UNSET


ThingCommand = CreateThing | MoveThing | Split


class ThingCreated(Event, frozen=True, tag="campaign.thing_created"):
    """There is a thing of this name."""

    thing: str
    name: str
    kind: OwnWord | None = None
    description: FreeText | None = None


class ThingEntered(Event, frozen=True, tag="campaign.thing_entered"):
    """A hidden thing is known to everybody from here on. `anew`: knowledge of it from before is replaced."""

    undoable: ClassVar[bool] = False
    thing: str
    name: str
    kind: OwnWord | None = None
    description: FreeText | None = None
    anew: bool | UnsetType = UNSET


class Portion(Struct, frozen=True):
    """The part of an amount that an account gets in a split; `remainder` of it are left over by the parts."""

    account: str
    parts: int
    amount: int
    remainder: int


class AmountSplit(Event, frozen=True, tag="campaign.amount_split"):
    """An amount is split; entries of the same action move the portions."""

    currency: str
    debit: str
    change: int
    portions: list[Portion]
    reason: FreeText


ThingEvent = ThingCreated | ThingEntered | AmountSplit
