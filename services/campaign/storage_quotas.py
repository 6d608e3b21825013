"""How many bytes campaigns and accounts may take.

Workers measure campaigns when they store views, so that an action pays nothing for it. A process asks once a
minute which campaigns are large, and looks them up in memory: one may grow by a minute's actions more than it may.
"""

import asyncio
from contextlib import suppress
from typing import get_args

from msgspec import Struct

from domain.campaign.commands import (
    ChangeRole,
    EndDiceEpoch,
    HandOver,
    JoinCampaign,
    ProveHiddenRoll,
    RemoveMember,
    RevealAction,
    RevealHiddenDice,
)
from domain.campaign.messages.archive import ArchiveCampaign, UnarchiveCampaign
from domain.campaign.messages.undo import DeclineUndo, RequestUndo
from domain.event_store_types import DatabaseUnavailable
from domain.ids import AccountId, CampaignId
from domain.rejection import Rejection, Stale
from domain.sentences import Sentence, say
from services.ports.size_store import SizeStore

ALWAYS = (
    ArchiveCampaign
    | UnarchiveCampaign
    | JoinCampaign
    | RemoveMember
    | ChangeRole
    | HandOver
    | RequestUndo
    | DeclineUndo
    | RevealAction
    | RevealHiddenDice
    | ProveHiddenRoll
    | EndDiceEpoch
)
"""Commands that a full campaign still takes; undo, redo and erasure are decided elsewhere."""
TAKEN_ALWAYS = frozenset(str(kind.__struct_config__.tag) for kind in get_args(ALWAYS))
"""Their wire names."""

EVERY_SECONDS = 60.0
WARNED_FROM_PERCENT = 80
MIB = 2**20


class Storage(Struct, frozen=True):
    """How many bytes something takes, of how many that it may."""

    bytes: int
    bytes_max: int

    @property
    def is_short(self) -> bool:
        """Whether who can do something about it is warned."""
        return self.bytes_max > 0 and self.bytes * 100 >= self.bytes_max * WARNED_FROM_PERCENT

    @property
    def is_full(self) -> bool:
        """Whether nothing more fits."""
        return 0 < self.bytes_max <= self.bytes

    @property
    def in_words(self) -> Sentence:
        """The two in words."""
        return say("{n} of {most} MiB", n=str(self.bytes // MIB), most=str(max(1, self.bytes_max // MIB)))


class Quotas:
    """The known sizes of large campaigns, and whether an account may have more; 0 bytes: any number."""

    def __init__(self, sizes: SizeStore, campaign_bytes_max: int, account_bytes_max: int) -> None:
        self._sizes = sizes
        self._campaign_bytes_max = campaign_bytes_max
        self._account_bytes_max = account_bytes_max
        self._large: dict[CampaignId, Storage] = {}
        self._led_by_full: set[CampaignId] = set()

    async def look(self) -> None:
        """Ask which campaigns are large, and which are led by accounts alone that lead all they may."""
        if most := self._campaign_bytes_max:
            sizes = await self._sizes.large(-(-most * WARNED_FROM_PERCENT // 100))
            self._large = {campaign_id: Storage(size, most) for campaign_id, size in sizes.items()}
        if most := self._account_bytes_max:
            self._led_by_full = await self._sizes.led_by_full(most)

    async def keep_looking(self) -> None:
        """Ask every minute, until cancelled."""
        while True:
            with suppress(DatabaseUnavailable):
                await self.look()
            await asyncio.sleep(EVERY_SECONDS)

    def of(self, campaign_id: CampaignId) -> Storage | None:
        """How much room a campaign has that is short of it; None: it has enough."""
        return self._large.get(campaign_id)

    def is_led_by_full(self, campaign_id: CampaignId) -> bool:
        """Whether a campaign takes no new actions because each of its GMs leads all they may."""
        return campaign_id in self._led_by_full

    def refusal(self, campaign_id: CampaignId, command: type[Struct]) -> Stale | None:
        """Why a campaign does not take such a command; None: it has room, or takes it always."""
        return None if issubclass(command, ALWAYS) else self.shortage(campaign_id)

    def shortage(self, campaign_id: CampaignId) -> Stale | None:
        """Why a campaign takes no commands but those that it takes `ALWAYS`; None: it has room."""
        room = self._large.get(campaign_id)
        if room is not None and room.is_full:
            sentence = say(
                "This campaign takes all the room that it may. Undo, reading, export and deletion go on; the host "
                "of this service can give it more."
            )
            return Stale("campaign_full", sentence)
        if campaign_id in self._led_by_full:
            sentence = say(
                "The campaigns that its GMs lead take all the room that they may. Undo, reading, export and "
                "deletion go on; the host of this service can give them more."
            )
            return Stale("campaign_full", sentence)
        return None

    async def of_account(self, account_id: AccountId) -> Storage:
        """How much room the campaigns take that an account leads."""
        return Storage(await self._sizes.led_by(account_id), self._account_bytes_max)

    async def require_storage(self, account_id: AccountId) -> None:
        """Raise `account_full` if an account may lead no other campaign."""
        if self._account_bytes_max and (room := await self.of_account(account_id)).is_full:
            sentence = say(
                "The campaigns that you lead take {room}: there is no room for another one. Ask the host "
                "of this service for more.",
                room=room.in_words,
            )
            raise Rejection("account_full", sentence)
