"""What is due happens: in order, each as an action of its own, with the same facts whoever makes it happen."""

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Any

import structlog
from msgspec import Struct

from domain.asked import Asked
from domain.campaign import codec
from domain.campaign.events import EntryPosted
from domain.campaign.owing import OwedKey, firing_id, is_due, key_of, order_of
from domain.campaign.request import ActRequest
from domain.campaign.timer_commands import FireTimer
from domain.campaign.timer_events import TimerFired
from domain.campaign.timers import next_firing
from domain.dice.seeds import EpochSeeds
from domain.ids import ActionId, CampaignId
from domain.rejection import Rejection
from domain.stored import StoredEvent
from domain.systems.system import InRealTime, OnCalendar, Owed
from services.dealing import deal
from services.hot import HotCampaign
from services.ports import DiceCup, Entropy

FIRED_AT_ONCE_MAX = 5_000
"""More than that waits for the next append, so that none grows without bounds."""

ALONE = (TimerFired, EntryPosted)
"""Events that change nothing that anything else is owed for."""

log_line = structlog.get_logger("fieldlog.timers")


class Fire(Struct, frozen=True):
    """A worker's errand: let happen what is due by `real_time`, microseconds UTC (None: on the calendar only).

    `given` are those that it was given to look after: they are tried although they may have failed before.
    """

    real_time: int | None = None
    given: Sequence[OwedKey] = ()


class Settled(Struct):
    """What happened, as events and their rows, and what could not happen, with the reason.

    `seeds` are those of the dice epochs that began.
    """

    events: list[Any]
    rows: list[StoredEvent]
    fired: int
    failed: list[tuple[OwedKey, str]]
    seeds: list[EpochSeeds]


def nothing() -> Settled:
    """Nothing happened."""
    return Settled([], [], 0, [], [])


def settle(
    campaign_id: CampaignId,
    hot: HotCampaign,
    at: int,
    dice: DiceCup,
    entropy: Entropy,
    fire: Fire,
) -> Settled:
    """Let everything happen that is due; `hot` moves on. `at` is the service's clock in microseconds UTC."""
    done = nothing()
    if hot.state.archived_at is not None:
        return done
    if fire.real_time is None and hot.owing.waits_for_calendar(hot.state):
        return done
    queue = _Queue(hot, fire)
    failed: dict[OwedKey, str] = {}
    while done.fired < FIRED_AT_ONCE_MAX and (each := queue.next()) is not None:
        try:
            events = _fire(campaign_id, hot, each, at, dice, entropy, done)
            queue.happened(each, events)
        except Rejection as refusal:
            failed[key_of(each)] = f"{refusal.code}: {refusal.message}"
        except Exception as defect:
            failed[key_of(each)] = f"{type(defect).__name__}: {defect}"
            log_line.exception("timer_defect", campaign=str(campaign_id), subject=each.subject)
    still = queue.tried & hot.owing.all(hot.state).keys()
    done.failed = [(key, failed.get(key, "It happened, and is owed as before.")) for key in sorted(still)]
    hot.owing.set_aside |= still
    return done


class _Queue:
    """What is due, in order; each only once. It is worked out anew when something else may be due now."""

    def __init__(self, hot: HotCampaign, fire: Fire) -> None:
        self.tried: set[OwedKey] = set()
        self._hot = hot
        self._fire = fire
        self._apart = hot.owing.set_aside - set(fire.given)
        self._heap: list[tuple[Any, OwedKey, Owed]] = []
        self._refill()

    def next(self) -> Owed | None:
        """What happens next."""
        while self._heap:
            _, key, each = heappop(self._heap)
            if key not in self.tried:
                self.tried.add(key)
                return each
        return None

    def happened(self, each: Owed, events: list[Any]) -> None:
        """Something did; a timer that only moves money and itself leaves everything else as it is."""
        if not isinstance(each.command, FireTimer) or not all(isinstance(event, ALONE) for event in events):
            self._refill()
        elif (timer := self._hot.state.timers.get(each.command.timer)) is not None:
            self._push(next_firing(timer))

    def _refill(self) -> None:
        self._heap = []
        for each in self._hot.owing.all(self._hot.state).values():
            self._push(each)

    def _push(self, each: Owed) -> None:
        key = key_of(each)
        if key not in self._apart and is_due(each, self._hot.state.game_time, self._fire.real_time):
            heappush(self._heap, (order_of(each), key, each))


def _fire(
    campaign_id: CampaignId,
    hot: HotCampaign,
    each: Owed,
    at: int,
    dice: DiceCup,
    entropy: Entropy,
    done: Settled,
) -> list[Any]:
    """Decide one thing that is due at its own moment, and let it have happened. Raises `Rejection`."""
    visibility = "all" if each.cause in hot.state.revealed else each.visibility
    request = ActRequest(command=each.command, visibility=visibility)
    # Who may not read it sees its id all the same, and would know what it is if they could work that out.
    action_id = firing_id(hot.state, each) if visibility == "all" else ActionId(entropy.new_id())
    asked = Asked(
        command=each.command,
        account=None,
        role="worker",
        action_id=action_id,
        at=each.due.microsecond if isinstance(each.due, InRealTime) else at,
        game_time=each.due.second if isinstance(each.due, OnCalendar) else hot.state.game_time,
        settings=None,
        members=hot.state.members,
        visibility=visibility,
    )
    dealt = deal(campaign_id, hot, asked, None, dice, entropy)
    draft = codec.Draft(
        campaign_id=campaign_id,
        action_id=asked.action_id,
        recorded_at=at,
        game_time=dealt.game_time,
        actor=None,
        cause=f"action:{each.cause}",
        visibility=visibility,
    )
    rows = codec.sealed(draft, hot.head, dealt.events, request, entropy.salts, dealt.visibilities)
    for row, event in zip(rows, dealt.events, strict=True):
        hot.advance(row, event)
    done.rows += rows
    done.events += dealt.events
    if dealt.seeds is not None:
        hot.seeds = dealt.seeds
        done.seeds.append(dealt.seeds)
    done.fired += bool(rows)
    return dealt.events
