"""The line of time over pages that can be read as they were: where the reader is on it, and the ways along it."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct

from domain.campaign.calendar.calendar_setting import calendar_in
from domain.campaign.calendar_shapes import date_of
from domain.sentences import Sentence
from projections.campaign.dates import month_names
from services.application import Application
from services.campaign.visible_campaign import PointInTime, VisibleCampaign
from services.http.screen.shared.visitor import Visit, open_campaign
from services.reading.event_scan import by_action
from services.reading.parameters import moment_of
from services.reading.play_session import PlaySession, play_sessions, session_title

NEAR_EVENTS = 96
"""So many events on either side of a moment are looked through for actions to step to."""
TICK_GAP = 1.0
LABEL_GAP = 8.0
LABEL_LAST = 90.0
"""In hundredths of the line: ticks and labels keep that far apart, and labels off its end."""
DAY = ("year", "month", "day")
"""The parameters that say a date of the campaign's calendar."""
MOMENT = frozenset({"at", "near", *DAY})
"""The parameters that say at which moment a page is read."""
KEPT = ("pin",)
"""The parameters of a page's address besides the moment, kept from moment to moment."""


class Step(Struct, frozen=True):
    """An action on the line: the first and the last of its seqs."""

    first: int
    last: int
    is_undone: bool


class Tick(Struct, frozen=True):
    """The beginning of a play session: the seq, the place in hundredths of the line, and the name.

    `label` is written beside it, and empty where there is no room.
    """

    seq: int
    place: float
    title: Sentence
    label: str


class Ways(Struct, frozen=True):
    """Addresses of other moments of the same page; empty where there is none."""

    earlier: str
    later: str
    earlier_session: str
    later_session: str
    now: str
    pinned: str
    unpinned: str


class DayChoice(Struct, frozen=True):
    """A day of the campaign's calendar to go to, as it is filled in: that of the moment that is read."""

    year: int
    month: int
    day: int
    months: list[str]


class TimeLine(Struct, frozen=True):
    """Where a page is read on the line from 1 to `head`."""

    head: int
    seq: int
    """Where it is read."""
    number: int
    """The action in which it is read."""
    instant: int
    session: PlaySession | None
    is_past: bool
    steps: list[Step]
    """The actions around it."""
    ticks: list[Tick]
    until: int
    """How far the play session goes that is played from here."""
    began: int
    pin: int | None
    """The moment that this one is compared with; None: there is none."""
    ways: Ways
    day: DayChoice | None
    """None: the campaign's clock stands at its beginning."""

    @property
    def told_steps(self) -> str:
        """The steps for a script: `12:14 15:15-`, those undone with a dash."""
        return " ".join(f"{step.first}:{step.last}{'-' if step.is_undone else ''}" for step in self.steps)

    @property
    def has_others(self) -> bool:
        """Whether there is another moment to go to: in a campaign with one action there is only now."""
        return self.is_past or bool(self.ways.earlier or self.ways.later)

    @property
    def query(self) -> str:
        """The links from here to other pages as they were then; empty now."""
        return f"?at={self.seq}" if self.is_past else ""


class Reading(Struct, frozen=True):
    """A campaign at the moment that a page is read at, as its reader sees it, and the line of time with it."""

    now: VisibleCampaign
    campaign: VisibleCampaign
    time: TimeLine
    sessions: list[PlaySession]

    async def at_seq(self, application: Application, seq: int) -> VisibleCampaign:
        """The same campaign for the same reader at another moment."""
        reader, as_member = self.now.account, None
        if self.now.shown_to is not None:
            reader, as_member = self.now.shown_to, str(self.now.account)
        return await application.campaigns.see(self.now.campaign_id, reader, PointInTime(seq=seq), as_member)

    @property
    def at(self) -> str | None:
        """The moment, as addresses have it; None: now."""
        return str(self.campaign.seq) if self.time.is_past else None


async def reading(visit: Visit) -> Reading:
    """A campaign now or at the moment of the page's address, which puts the whole page into one language.

    `?at=` is a moment as everywhere, and `?year=`, `?month=` and `?day=` are a date of its calendar. `?near=` is a
    seq; its action as a whole is meant, or if that is undone the one before. Raises `SignInFirst`, and refuses
    `campaign_not_found`, `moment_not_reached`, `date_before_start` and `date_impossible`.
    """
    now = await open_campaign(visit)
    campaign_id = now.campaign_id
    point = moment_of(_asked_moment(visit))
    near = moment_of(visit.request.query_params.get("near")) if point is None else None
    seq = now.seq
    if near is not None:
        seq = min(max(await visit.application.campaigns.seq_of(now, near), 1), now.seq)
    elif point is not None:
        seq = await visit.application.campaigns.seq_of(now, point)
    steps = await _steps(visit.application, now, min(seq, now.seq))
    if near is not None:
        seq = _standing(steps, seq)
    is_past = point is not None or seq < now.seq
    visible = now
    if is_past:
        visible = await open_campaign(visit, str(seq))
    sessions = await play_sessions(visit.application.log, visit.application.views, now)
    parameters = {name: value for name in KEPT if (value := visit.request.query_params.get(name)) is not None}
    row = await visit.application.log.tail(campaign_id, seq - 1, limit=1, upto=now.seq) if seq else []
    instant = now.read(row[0]).recorded_at if row else 0
    time = _time_line(
        now, seq, instant, steps, sessions, parameters, day=_day_choice(now, visible), is_past=is_past
    )
    return Reading(now, visible, time, sessions)


def _asked_moment(visit: Visit) -> str | None:
    """The moment in an address, as a text; a date may stand there in its parts."""
    parameters = visit.request.query_params
    if all(name not in parameters for name in DAY):
        return parameters.get("at")
    return "-".join(parameters.get(name, "").strip() for name in DAY)


def _day_choice(now: VisibleCampaign, visible: VisibleCampaign) -> DayChoice | None:
    if not now.state.game_time:
        return None
    shape = calendar_in(now.state).shape
    date = date_of(visible.state.game_time, shape)
    return DayChoice(date.year, date.month, date.day, month_names(now.language, shape))


async def _steps(application: Application, now: VisibleCampaign, seq: int) -> list[Step]:
    """The actions around a seq, oldest first, each as a whole."""
    rows = await application.log.tail(
        now.campaign_id, max(0, seq - NEAR_EVENTS), limit=2 * NEAR_EVENTS, upto=now.seq
    )
    actions = by_action(rows)
    if actions and actions[0][0].command is None:
        actions[0] = await application.log.action(now.campaign_id, actions[0][0].action_id)
    if len(actions) > 1 and actions[-1][-1].seq < now.seq:
        actions[-1] = await application.log.action(now.campaign_id, actions[-1][0].action_id)
    undone_actions = now.state.undone
    return [
        Step(action[0].seq, min(action[-1].seq, now.seq), action[0].action_id in undone_actions)
        for action in actions
    ]


def _standing(steps: list[Step], seq: int) -> int:
    """The end of the action that a seq belongs to; if that is undone, of the last before it that stands."""
    past_steps = [step for step in steps if step.first <= seq]
    standing = [step for step in past_steps if not step.is_undone]
    return (standing or past_steps or steps)[-1].last if steps else seq


def _time_line(
    now: VisibleCampaign,
    seq: int,
    instant: int,
    steps: list[Step],
    sessions: list[PlaySession],
    parameters: Mapping[str, str],
    *,
    day: DayChoice | None,
    is_past: bool,
) -> TimeLine:
    past_sessions = [session for session in sessions if session.first <= seq]
    running = [session for session in sessions if session.last > seq]
    pin = parameters.get("pin", "")
    has_pin = pin.isascii() and pin.isdigit() and len(pin) <= len(str(now.seq)) and 0 < int(pin) <= now.seq
    return TimeLine(
        head=now.seq,
        seq=seq,
        number=max((step.first for step in steps if step.first <= seq), default=seq),
        instant=instant,
        session=past_sessions[-1] if past_sessions else None,
        is_past=is_past,
        steps=steps,
        ticks=session_ticks(sessions, now.seq),
        until=running[0].last if running else now.seq,
        began=sessions[-1].first if sessions else 1,
        pin=int(pin) if has_pin else None,
        ways=_ways(steps, seq, sessions, {"pin": pin} if has_pin else {}, is_past=is_past),
        day=day,
    )


def _ways(
    steps: list[Step], seq: int, sessions: list[PlaySession], parameters: Mapping[str, str], *, is_past: bool
) -> Ways:
    before = [step for step in steps if step.last < seq]
    after = [step for step in steps if step.last > seq]
    earlier = [step for step in before if not step.is_undone] or before[:1]
    later = [step for step in after if not step.is_undone] or after[-1:]
    sessions_before = [session.first for session in sessions if _end_of_opening(session, steps) < seq]
    sessions_after = [session.first for session in sessions if session.first > seq]
    at = {"at": seq} if is_past else {}
    return Ways(
        earlier=_query({"at": earlier[-1].last}, parameters) if earlier else "",
        later=_query({"at": later[0].last}, parameters) if later else "",
        earlier_session=_query({"near": sessions_before[-1]}, parameters) if sessions_before else "",
        later_session=_query({"near": sessions_after[0]}, parameters) if sessions_after else "",
        now=_query({}, parameters),
        pinned=_query(at, {"pin": seq}),
        unpinned=_query(at, {}),
    )


def _end_of_opening(session: PlaySession, steps: list[Step]) -> int:
    """The end of the action that began a play session, where that is near."""
    return next((step.last for step in steps if step.first <= session.first <= step.last), session.first)


def _query(moment: Mapping[str, int], parameters: Mapping[str, Any]) -> str:
    """The query of a moment's address; none leads to now."""
    return f"?{urlencode(query)}" if (query := {**moment, **parameters}) else ""


def session_ticks(sessions: list[PlaySession], head: int) -> list[Tick]:
    """The beginnings of play sessions, as many as there is room for."""
    ticks: list[Tick] = []
    labelled = -LABEL_GAP
    for session in sessions:
        place = round(100 * (session.first - 1) / max(1, head - 1), 2)
        if ticks and place - ticks[-1].place < TICK_GAP:
            continue
        has_room = place - labelled >= LABEL_GAP and place <= LABEL_LAST
        labelled = place if has_room else labelled
        ticks.append(
            Tick(
                session.first,
                place,
                session_title(session.number, session.title),
                str(session.number) if has_room else "",
            )
        )
    return ticks
