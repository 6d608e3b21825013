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


_BORN = re.compile("[a-z_]+-[0-9a-f]{12}")


def derive_id(kind: str, action_id: ActionId, nth: int = 0) -> str:
    """The id of the `nth` thing of a `kind` that an action creates, e.g. `pilot-5f0c2a91e3b4`."""
    # The first bytes of a uuid5, at a quarter of its cost.
    digest = sha1(action_id.bytes + f"{kind}:{nth}".encode(), usedforsecurity=False)
    return f"{kind}-{digest.hexdigest()[:12]}"


def is_born(text: str) -> bool:
    """Whether a text has the form of a derived id."""
    return _BORN.fullmatch(text) is not None
