"""Types of ids, and how ids are derived.

Accounts, campaigns and actions are UUIDs made outside the log. Things that are created inside a campaign (a
pilot, a test, a mission) have ids derived from the action that created them, so that re-deciding the action
gives the same ids.
"""

import re
from hashlib import sha1
from typing import NewType
from uuid import UUID

AccountId = NewType("AccountId", UUID)
CampaignId = NewType("CampaignId", UUID)
ActionId = NewType("ActionId", UUID)

CharacterId = NewType("CharacterId", str)
"""A player character of any system; on the wire the `character` of a sheet."""

SystemId = NewType("SystemId", str)

COMMANDS_TOGETHER_MAX = 200
"""Commands that one action may hold."""

_LOW_BITS = 16
_VERSION_BITS = 76
_OF_A_PART = 8
"""The version of the ids of a group's commands after its first: no other id has it."""

BORN_FORM = "[a-z_]+(?:-[a-z_]+)*-[0-9a-f]{12}"
"""The form of a derived id; a kind may be of several words, as in `mobile-frame-5f0c2a91e3b4`."""

_BORN = re.compile(BORN_FORM)


def derive_id(kind: str, action_id: ActionId, nth: int = 0) -> str:
    """The id of the `nth` thing of a `kind` that an action creates, e.g. `pilot-5f0c2a91e3b4`."""
    # The first bytes of a uuid5, at a quarter of its cost.
    digest = sha1(action_id.bytes + f"{kind}:{nth}".encode(), usedforsecurity=False)
    return f"{kind}-{digest.hexdigest()[:12]}"


def group_id(drawn: ActionId) -> ActionId:
    """The id of an action of several commands, from one that was drawn: its last two bytes are zero."""
    return ActionId(UUID(int=drawn.int >> _LOW_BITS << _LOW_BITS))


def part_id(group: ActionId, nth: int) -> ActionId:
    """The id from which the things of a group's `nth` command derive theirs; that of the first is the group's."""
    if nth == 0:
        return group
    version = group.int >> _VERSION_BITS & 15
    other_version = (version ^ _OF_A_PART) << _VERSION_BITS
    return ActionId(UUID(int=group.int ^ other_version | version << 8 | nth))


def whole_action(action_id: ActionId) -> ActionId:
    """The action of the log that a command belongs to: itself, or the group that it was given in."""
    if action_id.int >> _VERSION_BITS & 15 != _OF_A_PART:
        return action_id
    version = action_id.int >> 8 & 15
    own_version = (version ^ _OF_A_PART) << _VERSION_BITS
    return group_id(ActionId(UUID(int=action_id.int ^ own_version)))


def ids_of_action(action_id: ActionId) -> tuple[ActionId, ...]:
    """The ids from which the things that an action creates may derive theirs."""
    if group_id(action_id) != action_id:
        return (action_id,)
    return tuple(part_id(action_id, nth) for nth in range(COMMANDS_TOGETHER_MAX))


def is_born(text: str) -> bool:
    """Whether a text has the form of a derived id."""
    return _BORN.fullmatch(text) is not None
