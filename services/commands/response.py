"""The answer to an accepted command: as its asker may see it, in the language they read."""

from collections.abc import Sequence
from itertools import repeat
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from domain.campaign import pending_choices
from domain.campaign.events import Hidden
from domain.campaign.recorded_action import PastAction
from domain.campaign.secrecy.audience import GM, NOTHING_OPENED, Audience, may_see, standing_for, without_secrets
from domain.campaign.settings import language_of
from domain.campaign.state import CampaignState
from domain.dice.die_proofs import without_numbers
from domain.event_store_types import Head, StoredEvent
from domain.ids import AccountId, ActionId
from domain.systems.system import Pending
from projections.campaign.dice_of_action import DiceRoll
from projections.narration import narrate
from services.campaign.loaded_campaign import LoadedCampaign
from services.campaign.name_resolver import NameResolver
from services.reading.action_sentences import telling_among
from services.reading.numbered_events import EventJson, json_with_seq, with_seq

_encoder = msgspec.json.Encoder()


class Answer(Struct, frozen=True, omit_defaults=True):
    """The answer to an action.

    `seq` and `head_hash` (hexadecimal) are the campaign's head after it; `events` its events, each with its seq,
    and those of due commands that it caused; `summary` the same as sentences; `pending` the choices that now wait
    for the asker (for a GM: all). `more_due`: more commands are due than fitted into one append, and run next.
    `repeated`: the first answer is so long ago that only its action is known; `seq` and `head_hash` are those of
    the action's last event. With `words=true` there are `rolls`, the dice of the events, and `names`, those of the
    ids in the answer, as the asker knows them now.
    """

    action_id: ActionId
    seq: int
    head_hash: str
    events: list[EventJson]
    summary: list[str]
    pending: list[Pending]
    more_due: bool = False
    repeated: bool = False
    rolls: list[DiceRoll] | UnsetType = UNSET
    names: dict[str, str] | UnsetType = UNSET


class ResponseDraft(Struct, frozen=True, gc=False):
    """An answer before its events are sealed."""

    action_id: ActionId
    events: list[Any]
    """Unredacted."""
    visible_events: list[Any]
    """As the asker may see them."""
    places: Sequence[int]
    """The rows of the visible events in the batch."""
    summary: list[str]
    pending: list[Pending]
    more_due: bool

    def encode(self, rows: list[StoredEvent], before: Head) -> bytes:
        """Encode the answer as JSON, once its batch is sealed as `rows` that follow the head `before`."""
        last = rows[self.places[-1]] if self.places else None
        return as_json(
            Answer(
                action_id=self.action_id,
                seq=(last or before).seq,
                head_hash=(last or before).hash.hex(),
                events=[
                    *map(_event_json, [rows[place] for place in self.places], self.events, self.visible_events)
                ],
                summary=self.summary,
                pending=self.pending,
                more_due=self.more_due,
            )
        )


def draft_response(
    loaded: LoadedCampaign,
    account: AccountId | None,
    action_id: ActionId,
    events: list[Any],
    visibilities: list[str],
    names: NameResolver,
    *,
    about: Sequence[PastAction],
    places: Sequence[int],
    more_due: bool,
    reads: str | None = None,
    disclosed_state: CampaignState | None = None,
) -> ResponseDraft:
    """Draft the answer to the asker, in the campaign as it is right after these events, whose rows are `places`.

    Words are in the names that the asker knows and in the language that they read (None: the campaign's), and
    quote what the events are `about`; a GM is told what waits for anybody. `disclosed_state` is what an asker who
    is no GM knows by then, where that is not in memory.
    """
    audience = GM
    if account is None or loaded.state.members.get(account) == "gm":
        disclosed_state, visible_events = loaded.state, events
        pending = pending_choices.pending(disclosed_state)
    else:
        audience = standing_for(Audience(gm=False, account=account), loaded.state.stands_for)
        disclosed_state = disclosed_state or loaded.knowledge.of(audience, loaded.state)
        visible_events = [*map(_redact, visibilities, events, repeat(audience))]
        pending = [choice for choice in pending_choices.pending(disclosed_state) if choice.waits_for == account]
    language = reads or language_of(disclosed_state.changed_settings)
    name = names.within(disclosed_state, language)
    words = telling_among(about, audience, loaded.state, name, language)
    summary = narrate(visible_events, words.name, language, words.quote)
    return ResponseDraft(action_id, events, visible_events, places, summary, pending, more_due)


def as_json(answer: Answer) -> bytes:
    """An answer as JSON."""
    return _encoder.encode(answer)


def _event_json(row: StoredEvent, event: Any, visible_event: Any) -> Raw:
    """An event as the asker sees it: the stored bytes if nothing had to be redacted."""
    if visible_event is event and row.texts is None:
        return with_seq(row.seq, row.body)
    return json_with_seq(row.seq, visible_event)


def _redact(visibility: str, event: Any, audience: Audience) -> Any:
    """A new event as an account that is no GM sees it."""
    if not may_see(visibility, audience):
        return Hidden()
    bare_event = without_secrets(event)
    return bare_event if visibility == "all" else without_numbers(bare_event, NOTHING_OPENED.has_opened)
