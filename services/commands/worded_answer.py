"""The answer to an action with its dice and with the names of what is in it, where they are asked for."""

import msgspec
from msgspec import Struct, structs

from domain.ids import AccountId, CampaignId
from domain.rejection import Missing
from projections.campaign.rolls import rolls_of
from services.commands.parts import CommandParts
from services.commands.response import Answer, encoded
from services.queries.names_in_answers import named

_decoder = msgspec.json.Decoder(Answer)


class _Numbered(Struct, frozen=True):
    seq: int


async def with_words(parts: CommandParts, campaign_id: CampaignId, account: AccountId, reply: bytes) -> bytes:
    """An answer's JSON with `rolls` and `names`, as its asker knows the campaign now.

    They are not kept with the answer, so a repeated request is told what things are called by then. An asker who
    was removed meanwhile is told none: the action was accepted, but they know the campaign no more.
    """
    answer = _decoder.decode(reply)
    try:
        seen = await parts.campaigns.see(campaign_id, account)
    except Missing:
        return encoded(structs.replace(answer, rolls=[], names={}))
    seqs = {msgspec.json.decode(each, type=_Numbered).seq for each in answer.events}
    rows = await parts.log.tail(campaign_id, min(seqs) - 1, upto=answer.seq) if seqs else []
    records = [seen.read(row) for row in rows if row.seq in seqs]
    return encoded(named(structs.replace(answer, rolls=rolls_of(records, seen.state, seen.name)), seen))
