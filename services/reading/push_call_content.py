"""The content of calls: made at the moment of sending, from all that the member called may read then."""

from base64 import urlsafe_b64encode
from hashlib import blake2b
from uuid import UUID

import msgspec
from msgspec import Struct, structs

from domain.ids import AccountId, CampaignId
from domain.push_call_devices import WORDS, Place, Wait
from domain.sentences import say_many
from projections.campaign.pending_choices import Awaited
from projections.languages import render
from services.campaign.visible_campaign import VisibleCampaign
from services.reading.awaited_answers import awaited_from_reader
from services.reading.read_dependencies import Readers
from services.reading.waiting_since import WaitingSince

TITLE = "Fieldlog"
TITLE_CHARACTERS_MAX = 100
TEXT_CHARACTERS_MAX = 300
TOPIC_BYTES = 24
"""Topics have 32 characters at most."""
MARK_BYTES = 8


class CallContent(Struct, frozen=True):
    """The content of a call, as the service worker of pages takes it; `path` is below the service's own."""

    title: str
    text: str
    path: str
    language: str


class AwaitedNow(Struct, frozen=True):
    """All that waits for a member at a seq, in sentences of a language."""

    campaign: VisibleCampaign
    waits: list[Wait]
    sentences: list[str]
    """One for each of these."""

    @property
    def seq(self) -> int:
        """The last seq that it is as of."""
        return self.campaign.seq

    def content(self, place: Place, *, with_words: bool) -> bytes | None:
        """The call for what is new at a place, with the campaign and what waits or without; None: nothing is."""
        sentences = [
            sentence for wait, sentence in zip(self.waits, self.sentences, strict=True) if place.is_new(wait)
        ]
        if not sentences:
            return None
        path, language = f"/c/{self.campaign.campaign_id}/table", self.campaign.language
        if not with_words:
            return msgspec.json.encode(CallContent(TITLE, render(WORDS, language), path, language))
        text = _cut(sentences[0], TEXT_CHARACTERS_MAX)
        if others := len(sentences) - 1:
            more = say_many("and one more answer", "and {n} more answers", others)
            text = f"{text}\n{render(more, language)}"
        title = _cut(self.campaign.state.name, TITLE_CHARACTERS_MAX)
        return msgspec.json.encode(CallContent(title, text, path, language))


async def awaited_now(
    parts: Readers, waiting: WaitingSince, account: AccountId, campaign_id: CampaignId, language: str
) -> AwaitedNow:
    """All that waits for a member now, as far as they may know it. Raises `campaign_not_found`."""
    campaign = structs.replace(await parts.campaigns.see(campaign_id, account), reads=language)
    choices = awaited_from_reader(campaign)
    seqs = await waiting.seqs(campaign, [(choice.kind, choice.subject) for choice in choices])
    waits = [Wait(_mark(choice), since) for choice, since in zip(choices, seqs, strict=True)]
    return AwaitedNow(campaign, waits, [choice.told for choice in choices])


def topic_of(device_id: UUID, campaign_id: CampaignId) -> str:
    """The topic of calls: of two that a push service keeps for a device and a campaign, the later one is left."""
    digest = blake2b(device_id.bytes + campaign_id.bytes, digest_size=TOPIC_BYTES).digest()
    return urlsafe_b64encode(digest).decode()


def _mark(choice: Awaited) -> str:
    return blake2b(f"{choice.kind}\0{choice.subject}".encode(), digest_size=MARK_BYTES).hexdigest()


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else f"{text[: characters - 1]}…"
