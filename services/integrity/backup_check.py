"""Verification of what a backup holds: every link of every chain, every text, every head."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, structs

from domain.event_store_types import Head, StoredEvent
from domain.hash_chain import GENESIS
from domain.ids import CampaignId
from services.campaign.verify_log import is_sound

Text = tuple[CampaignId, int, bytes, bytes]
"""A personal text: its campaign, the seq of its event, its salt, and the text."""


class BackupCheck(Struct):
    """The findings so far: bad seqs of campaigns, and campaigns whose log was behind a kept head already."""

    events: int = 0
    unsound: dict[CampaignId, int] = {}
    behind: list[CampaignId] = []


def check_backup(
    events: Iterable[tuple[CampaignId, StoredEvent]],
    texts: Iterable[Text],
    heads: Mapping[CampaignId, tuple[int, bytes]],
    stored_heads: Mapping[CampaignId, Head],
) -> Iterator[BackupCheck]:
    """Go through all events with their texts, both ordered by campaign and seq; yields what is found so far.

    `heads` are where the logs must end; `stored_heads` are heads from outside the database, which the logs must
    contain.
    """
    check, rest = BackupCheck(), dict(heads)
    campaign_id: CampaignId | None = None
    seq, previous, bad, has_reached = 0, GENESIS, False, False

    def end() -> None:
        if campaign_id is None:
            return
        head = rest.pop(campaign_id, None)
        if not bad and head != (seq, previous):
            head_seq = head[0] if head else 0
            check.unsound[campaign_id] = seq if head_seq == seq else min(seq, head_seq) + 1
        if campaign_id in stored_heads and not has_reached:
            check.behind.append(campaign_id)

    for campaign, row in _with_texts(events, texts):
        if campaign != campaign_id:
            end()
            campaign_id, seq, previous, bad, has_reached = campaign, 0, GENESIS, False, False
            stored_head = stored_heads.get(campaign)
        check.events += 1
        if not bad and (row.seq != seq + 1 or not is_sound(campaign, previous, row)):
            bad, check.unsound[campaign] = True, seq + 1
        seq, previous = row.seq, row.hash
        has_reached = has_reached or (
            stored_head is not None and (stored_head.seq, stored_head.hash) == (seq, previous)
        )
        yield check
    end()
    for campaign in rest:
        check.unsound[campaign] = 1
    yield check


def _with_texts(
    events: Iterable[tuple[CampaignId, StoredEvent]], texts: Iterable[Text]
) -> Iterator[tuple[CampaignId, StoredEvent]]:
    rest = iter(texts)
    text = next(rest, None)
    for campaign_id, row in events:
        place = (campaign_id.bytes, row.seq)
        while text is not None and (text[0].bytes, text[1]) < place:
            text = next(rest, None)
        if text is not None and (text[0].bytes, text[1]) == place:
            yield campaign_id, structs.replace(row, text_salt=text[2], texts=text[3])
        else:
            yield campaign_id, row
