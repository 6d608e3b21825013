"""A command as it comes over the wire and as the log keeps it.

Membership commands have routes of their own; the log keeps them in the same form.
"""

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.campaign import commands
from domain.command_context import Visibility
from domain.ids import COMMANDS_TOGETHER_MAX
from domain.personal_text import FreeText
from domain.systems import SYSTEMS

if TYPE_CHECKING:
    AnyPlayCommand = Any
else:
    OwnCommand = commands.PlayCommand | commands.RevealAction
    AnyPlayCommand = reduce(or_, (system.commands for system in SYSTEMS.values()), OwnCommand)

DieNumber = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]

ChoiceName = Annotated[str, Meta(max_length=40)]
"""The name of a choice that is waited for, as `Pending` has it."""

TypedDie = tuple[DieNumber, DieNumber]
"""A die rolled at the table: its sides and the face it shows. The rules check that it is possible."""


class ActRequest(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A command.

    `dice` are those the group rolled itself, as `[sides, face]` in the order the rules use them. `note` is a
    remark kept with the action. `visibility` says who may read the resulting events. `choice` is the name of the
    choice that it answers, where it is meant for no other; the log does not keep it.
    """

    command: AnyPlayCommand
    dice: Annotated[list[TypedDie], Meta(max_length=200)] | None = None
    note: FreeText | None = None
    visibility: Visibility = "all"
    choice: ChoiceName | None = None


class Together(Struct, frozen=True):
    """Several commands of one member in place of one: all of them are one action, or none is given."""

    commands: list[AnyPlayCommand]


class ActionBody(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A command, or several in its place: they are one action, decided one on the other, all or none."""

    command: AnyPlayCommand | UnsetType = UNSET
    """The only command."""
    commands: Annotated[list[AnyPlayCommand], Meta(min_length=1, max_length=COMMANDS_TOGETHER_MAX)] | UnsetType = (
        UNSET
    )
    """The commands in its place."""
    dice: Annotated[list[TypedDie], Meta(max_length=200)] | None = None
    """Those the group rolled itself, as `[sides, face]` in the order the rules use them."""
    note: FreeText | None = None
    """A remark kept with the action."""
    visibility: Visibility = "all"
    """The readers of the resulting events."""
    choice: ChoiceName | None = None
    """The choice that this answers, by its name where it is waited for: refused once it was answered."""


class FurtherCommand(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A command after the first one of a group, as the log keeps it."""

    command: AnyPlayCommand
    events: int
    """The number of the group's events before its own."""
    dice: list[TypedDie] | None = None


class GroupRequest(ActRequest, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The request of a group in the log: its first command with the dice for it, and those that `follow`."""

    follow: list[FurtherCommand] = []


class FollowRequest(ActRequest, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The request of a hidden follow-up in the log; clients never send it."""

    command: commands.FollowHidden
