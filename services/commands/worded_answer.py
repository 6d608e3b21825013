"""The answer to an action with its dice and with the names of what is in it, where they are asked for."""

import msgspec
from msgspec import Struct, structs

from domain.ids import AccountId, CampaignId
from domain.rejection import Missing
from projections.campaign.dice_of_action import rolls_of
from services.commands.command_dependencies import CommandParts
from services.commands.response import Answer, as_json
from services.reading.names_in_answers import with_names

_decoder = msgspec.json.Decoder(Answer)


class _EventSeq(Struct, frozen=True):
    seq: int


async def with_words(parts: CommandParts, campaign_id: CampaignId, account: AccountId, reply: bytes) -> bytes:
    """An answer's JSON with `rolls` and `names`, as its asker knows the campaign now.

    They are not kept with the answer, so a repeated request is told what things are called by then. An asker who
    was removed meanwhile is told none: the action was accepted, but they know the campaign no more.
    """
    answer = _decoder.decode(reply)
    try:
        campaign = await parts.campaigns.see(campaign_id, account)
    except Missing:
        return as_json(structs.replace(answer, rolls=[], names={}))
    seqs = {msgspec.json.decode(event, type=_EventSeq).seq for event in answer.events}
    rows = await parts.log.tail(campaign_id, min(seqs) - 1, upto=answer.seq) if seqs else []
    records = [campaign.read(row) for row in rows if row.seq in seqs]
    return as_json(
        with_names(structs.replace(answer, rolls=rolls_of(records, campaign.state, campaign.name)), campaign)
    )
