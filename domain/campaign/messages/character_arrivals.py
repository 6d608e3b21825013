"""Commands and events of characters that players ask to bring in from other campaigns."""

from typing import Annotated, Any

from domain.campaign.messages.base_types import Command, Event
from domain.field_references import ref
from domain.ids import AccountId, SystemId
from domain.personal_text import FreeText, Name, Reference


class AgreeToArrival(Command, frozen=True, tag="campaign.agree_to_arrival"):
    """Let a character come in that a player asks to bring."""

    arrival: Annotated[Reference, ref("arrival")]


class DeclineArrival(Command, frozen=True, tag="campaign.decline_arrival"):
    """Decline to let a character come in; the player who asked may withdraw it this way."""

    arrival: Annotated[Reference, ref("arrival")]
    reason: FreeText | None = None


ArrivalCommand = AgreeToArrival | DeclineArrival


class ArrivalAsked(Event, frozen=True, tag="campaign.arrival_asked"):
    """A player asks to bring a character in; its `sheet` comes in when a GM agrees.

    `brings` are the belongings that would come along by now: the facts of the rule system, without personal texts.
    """

    arrival: str
    system: SystemId
    player: AccountId
    name: Name
    sheet: dict[str, Any]
    brings: list[dict[str, Any]]


class ArrivalAgreed(Event, frozen=True, tag="campaign.arrival_agreed"):
    """It is agreed that a character comes in with its `sheet`; the events of its rule system follow."""

    arrival: str
    name: Name
    sheet: dict[str, Any]


class ArrivalDeclined(Event, frozen=True, tag="campaign.arrival_declined"):
    """A character does not come in: a GM declined, or the player withdrew it (`withdrawn`)."""

    arrival: str
    name: Name
    player: AccountId
    withdrawn: bool
    reason: FreeText | None = None


ArrivalEvent = ArrivalAsked | ArrivalAgreed | ArrivalDeclined
