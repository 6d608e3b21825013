"""Verification of what a backup holds: every link of every chain, every text, every head."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, structs

from domain.event_store_types import Head, StoredEvent
from domain.hash_chain import GENESIS
from domain.ids import CampaignId
from services.integrity.verify_log import is_sound

Text = tuple[CampaignId, int, bytes, bytes]
"""A personal text: its campaign, the seq of its event, its salt, and the text."""


class BackupCheck(Struct):
    """What was found so far: bad seqs of campaigns, and campaigns whose log was behind a kept head already."""

    events: int = 0
    unsound: dict[CampaignId, int] = {}
    behind: list[CampaignId] = []


def check_backup(
    events: Iterable[tuple[CampaignId, StoredEvent]],
    texts: Iterable[Text],
    heads: Mapping[CampaignId, tuple[int, bytes]],
    kept: Mapping[CampaignId, Head],
) -> Iterator[BackupCheck]:
    """Go through all events with their texts, both ordered by campaign and seq; yields what is found so far.

    `heads` are where the logs must end; `kept` are heads from outside the database, which the logs must contain.
    """
    found, left = BackupCheck(), dict(heads)
    campaign_id: CampaignId | None = None
    seq, previous, bad, seen = 0, GENESIS, False, False

    def end() -> None:
        if campaign_id is None:
            return
        head = left.pop(campaign_id, None)
        if not bad and head != (seq, previous):
            told = head[0] if head else 0
            found.unsound[campaign_id] = seq if told == seq else min(seq, told) + 1
        if campaign_id in kept and not seen:
            found.behind.append(campaign_id)

    for campaign, row in _with_texts(events, texts):
        if campaign != campaign_id:
            end()
            campaign_id, seq, previous, bad, seen = campaign, 0, GENESIS, False, False
            wanted = kept.get(campaign)
        found.events += 1
        if not bad and (row.seq != seq + 1 or not is_sound(campaign, previous, row)):
            bad, found.unsound[campaign] = True, seq + 1
        seq, previous = row.seq, row.hash
        seen = seen or (wanted is not None and (wanted.seq, wanted.hash) == (seq, previous))
        yield found
    end()
    for campaign in left:
        found.unsound[campaign] = 1
    yield found


def _with_texts(
    events: Iterable[tuple[CampaignId, StoredEvent]], texts: Iterable[Text]
) -> Iterator[tuple[CampaignId, StoredEvent]]:
    left = iter(texts)
    text = next(left, None)
    for campaign_id, row in events:
        place = (campaign_id.bytes, row.seq)
        while text is not None and (text[0].bytes, text[1]) < place:
            text = next(left, None)
        if text is not None and (text[0].bytes, text[1]) == place:
            yield campaign_id, structs.replace(row, text_salt=text[2], texts=text[3])
        else:
            yield campaign_id, row
