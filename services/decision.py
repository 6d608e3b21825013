"""One command on its way: who asks, what is decided in memory, and what they will be told."""

import asyncio
from itertools import repeat
from typing import Any

import msgspec
from msgspec import Raw, Struct

from domain.asked import Asked, Role
from domain.campaign import campaign, codec
from domain.campaign.commands import CreateCampaign, JoinCampaign
from domain.campaign.events import Hidden
from domain.campaign.request import ActRequest
from domain.campaign.settings import language_of
from domain.campaign.state import CampaignState
from domain.campaign.visibility import Audience, may_see, without_secrets
from domain.dice.seeds import EpochSeeds
from domain.ids import AccountId, ActionId, CampaignId
from domain.rejection import Missing, Rejection, Stale
from domain.sentences import ENGLISH, say
from domain.stored import Erasure, StoredEvent
from domain.systems.system import Pending
from projections.languages import render
from projections.narration import told
from services.dealing import Dealt, deal
from services.hot import HotCampaign
from services.names import Names
from services.ports import DiceCup, Entropy
from services.settling import Settled

_encoder = msgspec.json.Encoder()


class Prepared(Struct, frozen=True):
    """What was worked out beforehand, because it took more of the past than a state holds.

    It holds while the campaign's head is at `seq`. `visibilities` says who may read each of `events`; `state` is
    the campaign after them (None: what they do is like what any event does). `erasure` goes with them.
    """

    seq: int
    events: list[Any]
    visibilities: list[str]
    state: CampaignState | None
    erasure: Erasure | None = None


class Ask(Struct, eq=False):
    """A command on its way through the service.

    `if_match` is the head the asker insists on. `key` with `request_hash` makes a repetition harmless.
    `prepared` is there for what is not decided on the campaign's state alone.
    A refusal is told in `language`: the campaign's, once it is known that the asker belongs to it.
    `dice_seeds` are those of the epoch that the command names, where it names one.
    """

    campaign_id: CampaignId
    account: AccountId | None
    request: ActRequest
    action_id: ActionId
    answered: asyncio.Future[bytes]
    cause: str = "request"
    key: str | None = None
    request_hash: bytes = b""
    if_match: int | None = None
    prepared: Prepared | None = None
    attempts: int = 0
    language: str = ENGLISH
    dice_seeds: EpochSeeds | None = None

    def tell(self, result: bytes | Rejection) -> None:
        """What became of it, to whoever asked, if they have not hung up."""
        if self.answered.done():
            return
        if isinstance(result, Rejection):
            result.message = render(result.message, self.language)
            self.answered.set_exception(result)
        else:
            self.answered.set_result(result)

    def fail(self, failure: Exception) -> None:
        """That nothing came of it."""
        if not self.answered.done():
            self.answered.set_exception(failure)


class Decision(Struct, frozen=True, gc=False):
    """An accepted command: its events, the rows they will be, and the seeds of the dice epoch that it starts."""

    events: list[Any]
    rows: list[StoredEvent]
    seeds: EpochSeeds | None


class Answer(Struct, frozen=True):
    """The answer to an action.

    `seq` and `head_hash` (hexadecimal) are the campaign's head after it; `events` what happened, each with its
    seq, and what the calendar made due by it; `summary` the same in words; `pending` what now waits for whoever
    asked (for a GM: for anybody).
    """

    action_id: ActionId
    seq: int
    head_hash: str
    events: list[Raw]
    summary: list[str]
    pending: list[Pending]


def no_such_campaign() -> Missing:
    """The same words for a campaign that is not there and one that is none of yours."""
    return Missing("campaign_not_found", "There is no such campaign among yours.")


def decided(ask: Ask, hot: HotCampaign, at: int, dice: DiceCup, entropy: Entropy) -> Decision:
    """Decide a command on the campaign in memory, which is left as it is. Raises `Rejection`."""
    state, head, request, prepared = hot.state, hot.head, ask.request, ask.prepared
    role = _role(ask, state)
    ask.language = language_of(state.changed_settings)
    if ask.if_match is not None and ask.if_match != head.seq:
        raise Stale(
            "stale_if_match",
            say(
                "The campaign is at {seq}, not at {wanted}: look again, then decide.",
                seq=head.seq,
                wanted=ask.if_match,
            ),
            seq=head.seq,
        )
    if prepared is not None and (prepared.seq != head.seq or ask.attempts > 1):
        raise moved_on()  # its state went into memory the first time, and more may have happened to it there
    _check_visibility(request.visibility, state)
    if prepared is not None:
        game_time = hot.game_time_for(prepared.visibilities)
        dealt = Dealt(prepared.events, prepared.visibilities, None, game_time)
    else:
        asked = Asked(
            command=request.command,
            account=ask.account,
            role=role,
            action_id=ask.action_id,
            at=at,
            game_time=state.game_time,
            settings=None,
            members=state.members,
            visibility=request.visibility,
            dice_seeds=ask.dice_seeds or hot.seeds,
        )
        dealt = deal(ask.campaign_id, hot, asked, request.dice, dice, entropy)
    draft = codec.Draft(
        campaign_id=ask.campaign_id,
        action_id=ask.action_id,
        recorded_at=at,
        game_time=dealt.game_time,
        actor=ask.account,
        cause=ask.cause,
        visibility=request.visibility,
    )
    rows = codec.sealed(draft, head, dealt.events, request, entropy.salts, dealt.visibilities)
    return Decision(events=dealt.events, rows=rows, seeds=dealt.seeds)


def moved_on() -> Stale:
    """What was prepared no longer holds: others acted meanwhile."""
    return Stale("campaign_busy", "Others keep acting at the same moment; please try again.")


def answer(ask: Ask, decision: Decision, then: Settled, hot: HotCampaign, names: Names) -> bytes:
    """What whoever asked is told: as they may see it, in the names of what they know.

    `then` is what fell due because of it. It is bytes, because it is kept with an idempotency key and given again.
    """
    rows, events = decision.rows + then.rows, decision.events + then.events
    if ask.account is None or hot.state.members.get(ask.account) == "gm":
        known, seen = hot.state, events
        pending = campaign.pending(known)
    else:
        audience = Audience(gm=False, account=ask.account)
        known, seen = hot.knowledge.of(audience, hot.state), [*map(_seen, rows, events, repeat(audience))]
        pending = [choice for choice in campaign.pending(known) if choice.waits_for == ask.account]
    return _encoder.encode(
        Answer(
            action_id=ask.action_id,
            seq=hot.head.seq,
            head_hash=hot.head.hash.hex(),
            events=[*map(_told, rows, events, seen)],
            summary=told(seen, names.within(known), language_of(hot.state.changed_settings)),
            pending=pending,
        )
    )


def _told(row: StoredEvent, event: Any, seen: Any) -> Raw:
    """An event as somebody sees it: as it stands in the log, where nothing was taken out for either."""
    if seen is event and row.texts is None:
        return _with_seq(row.seq, row.body)
    return numbered(row.seq, seen)


def numbered(seq: int, event: Any) -> Raw:
    """An event's JSON with its seq in front: `{"seq":12,"type":…}`."""
    return _with_seq(seq, _encoder.encode(event))


def _with_seq(seq: int, body: bytes) -> Raw:
    return Raw(b'{"seq":%d,' % seq + body[1:])


def _role(ask: Ask, state: CampaignState) -> Role | Any:
    """What the asker is in this campaign; who is nothing in it, may not know that it is there."""
    if ask.account is None:
        return "worker"
    command = ask.request.command
    if type(command) is CreateCampaign:
        return "gm"
    if type(command) is JoinCampaign:
        return command.role
    role = state.members.get(ask.account)
    if role is None:
        raise no_such_campaign()
    return role


def _check_visibility(visibility: str, state: CampaignState) -> None:
    account = visibility.removeprefix("account:")
    if account != visibility and not any(str(member) == account for member in state.members):
        raise Rejection("unknown_member", say("Only a member of the campaign can be shown something alone."))


def _seen(row: StoredEvent, event: Any, audience: Audience) -> Any:
    """An event as somebody who is no GM sees it."""
    return without_secrets(event) if may_see(row.visibility, audience) else Hidden()
