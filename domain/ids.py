"""Names for the ids that travel through the rules.

Accounts, campaigns and actions are UUIDs because they are made outside the log. Things born inside a
campaign (a pilot, a test, a mission) are called after the action that made them, so that deciding the
same action again gives the same name.
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


def born(kind: str, action_id: ActionId, nth: int = 0) -> str:
    """The id of the `nth` thing of a `kind` that an action makes, e.g. `pilot-5f0c2a91e3b4`."""
    # The beginning of uuid5, which says the same in four times as long.
    named = sha1(action_id.bytes + f"{kind}:{nth}".encode(), usedforsecurity=False)
    return f"{kind}-{named.hexdigest()[:12]}"


def is_born(text: str) -> bool:
    """Whether a text is such an id, rather than words of somebody's own."""
    return _BORN.fullmatch(text) is not None
