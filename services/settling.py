"""What is due happens: in order, each as an action of its own, with the same facts whoever makes it happen."""

from collections.abc import Sequence
from typing import Any

import structlog
from msgspec import Struct

from domain.asked import Asked
from domain.campaign import codec
from domain.campaign.owing import OwedKey, firing_id, first_due, key_of
from domain.campaign.request import ActRequest
from domain.dice.seeds import EpochSeeds
from domain.ids import CampaignId
from domain.rejection import Rejection
from domain.stored import StoredEvent
from domain.systems.system import InRealTime, OnCalendar, Owed
from services.dealing import deal
from services.hot import HotCampaign
from services.ports import DiceCup, Entropy

FIRED_AT_ONCE_MAX = 5_000
"""More than that waits for the next append, so that none grows without bounds."""

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


def settle(
    campaign_id: CampaignId,
    hot: HotCampaign,
    at: int,
    dice: DiceCup,
    entropy: Entropy,
    fire: Fire,
) -> Settled:
    """Let everything happen that is due; `hot` moves on. `at` is the service's clock in microseconds UTC."""
    done = Settled([], [], 0, [], [])
    if not hot.owing.all(hot.state):
        return done
    tried: set[OwedKey] = set()
    while done.fired < FIRED_AT_ONCE_MAX:
        apart = tried | (hot.owing.set_aside - set(fire.given))
        waiting = hot.owing.all(hot.state).items()
        each = first_due((one for key, one in waiting if key not in apart), hot.state.game_time, fire.real_time)
        if each is None:
            break
        try:
            _fire(campaign_id, hot, each, at, dice, entropy, done)
            happened = key_of(each) not in hot.owing.all(hot.state)
            reason = "" if happened else "It happened, and is owed as before."
        except Rejection as refusal:
            reason = f"{refusal.code}: {refusal.message}"
        except Exception as defect:
            reason = f"{type(defect).__name__}: {defect}"
            log_line.exception("timer_defect", campaign=str(campaign_id), subject=each.subject)
        if reason:
            tried.add(key_of(each))
            done.failed.append((key_of(each), reason))
    hot.owing.set_aside |= tried
    return done


def _fire(
    campaign_id: CampaignId,
    hot: HotCampaign,
    each: Owed,
    at: int,
    dice: DiceCup,
    entropy: Entropy,
    done: Settled,
) -> None:
    """Decide one thing that is due at its own moment, and let it have happened. Raises `Rejection`."""
    request = ActRequest(command=each.command, visibility=each.visibility)
    asked = Asked(
        command=each.command,
        account=None,
        role="worker",
        action_id=firing_id(hot.state, each),
        at=each.due.microsecond if isinstance(each.due, InRealTime) else at,
        game_time=each.due.second if isinstance(each.due, OnCalendar) else hot.state.game_time,
        settings=None,
        members=hot.state.members,
        visibility=each.visibility,
    )
    dealt = deal(campaign_id, hot, asked, None, dice, entropy)
    draft = codec.Draft(
        campaign_id=campaign_id,
        action_id=asked.action_id,
        recorded_at=at,
        game_time=asked.game_time,
        actor=None,
        cause=f"action:{each.cause}",
        visibility=each.visibility,
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
