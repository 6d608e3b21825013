"""`/c/{campaign}/calendar/read`: a calendar from a file or a text; `…/change`: the change before it is made."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.response import Response
from msgspec import Meta, Struct

from domain.campaign.calendar.calendar_change import same_day
from domain.campaign.calendar_files.calendar_reader import FILE_BYTES_MAX, read_calendar, require_calendar
from domain.campaign.calendar_files.file_parts import CalendarReading
from domain.campaign.calendar_shapes import CalendarDate, CalendarShape, Year, as_json, earth
from domain.campaign.command_request import ActRequest
from domain.campaign.commands import SetSetting
from domain.campaign.settings import CALENDAR, OWN, settings_of
from domain.rejection import Forbidden, Rejection
from domain.sentences import Part, Sentence, say
from projections.campaign.calendar_change import CalendarChange
from projections.campaign.dates import date_in_words, month_names
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.submit import submit_command
from services.errors import unknown_value
from services.http.route_parameters import checked_key
from services.http.screen.shared.campaign_page import CampaignPage, campaign_path, frame_of
from services.http.screen.shared.forms import Form, FormStruct, Unfit, read_form
from services.http.screen.shared.page_responses import REFUSED, see_other, show_page
from services.http.screen.shared.page_upload import receive, require_page_upload
from services.http.screen.shared.refusals import REFUSALS, told_refusal
from services.http.screen.shared.visitor import Visit, open_campaign
from services.reading.calendar_change import preview_change

PRESETS = {"earth": earth(), "plain": CalendarShape()}

TodayThen = Literal["stays", "moves", "date"]


class Way(Struct, frozen=True):
    """A way to change the calendar: the date of today then, and the dates of the timers."""

    value: TodayThen
    today: Part
    timers: list[Part]


class TimerBefore(Struct, frozen=True):
    """A timer with its date as long as nothing is changed."""

    title: str
    date: Part


class ReadPage(CampaignPage, frozen=True, kw_only=True):
    """The form that takes a calendar."""

    template: ClassVar[str] = "calendar_read.html"
    section: ClassVar[str] = "downtime"
    form: Form
    presets: list[tuple[str, Sentence]]
    megabytes_max: int

    @property
    def title(self) -> Part:
        """The page's title."""
        return say("Another calendar")


class ChangePage(CampaignPage, frozen=True, kw_only=True):
    """A calendar before it is set: the report about its file, and today and all timers before and after."""

    template: ClassVar[str] = "calendar_change.html"
    section: ClassVar[str] = "downtime"
    form: Form
    key: str
    calendar: str
    """As the form sends it."""
    understood: list[Part]
    left_out: list[Part]
    contradictions: list[Part]
    today: Part
    timers: list[TimerBefore]
    ways: list[Way]
    chosen: str
    cannot_stay: str
    """Why today cannot stay the date that it is."""
    months: list[str]

    @property
    def title(self) -> Part:
        """The page's title."""
        return say("Another calendar")


class ChangeForm(FormStruct, frozen=True):
    """The date of today in another calendar."""

    today: TodayThen = "stays"
    year: Year | None = None
    month: Annotated[int, Meta(ge=1, le=60)] | None = None
    day: Annotated[int, Meta(ge=0, le=2_000)] | None = None
    key: str = ""
    do: str = "look"


async def require_calendar_file(request: Request[Any, Any, Any]) -> None:
    """A file from a form of our own page, not larger than a calendar may be."""
    require_page_upload(request, 2 * FILE_BYTES_MAX)


@get("/c/{campaign:str}/calendar/read")
async def read_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """The form for a calendar; with `?preset=`, one that needs no file before it is set. For GMs.

    Refuses `unknown_value`.
    """
    visible = await _open_as_gm(visit)
    preset = visit.request.query_params.get("preset", "")
    if preset in PRESETS:
        reading = CalendarReading(tool="", name="", calendar=PRESETS[preset])
        return show_page(visit, await _change_page(visit, visible, reading, Form()))
    if preset:
        raise unknown_value("preset", preset)
    return show_page(visit, _read_page(visible, Form()))


@post("/c/{campaign:str}/calendar/read", before_request=require_calendar_file, request_max_body_size=None)
async def read_file(visit: NamedDependency[Visit]) -> Response[bytes]:
    """The calendar of a file or a text, and the change that it would be. For GMs."""
    visible = await _open_as_gm(visit)
    file = bytearray()
    fields = await receive(visit.request, file.extend, FILE_BYTES_MAX, FILE_BYTES_MAX)
    text = next(iter(fields.get("text", ())), "")
    form = Form({"text": [text]})
    try:
        reading = _parse(bytes(file) or text.encode())
    except Rejection as refusal:
        form = form.with_fault("text", refusal.message)
        return show_page(visit, _read_page(visible, form), REFUSED)
    return show_page(visit, await _change_page(visit, visible, reading, Form()))


@post("/c/{campaign:str}/calendar/change")
async def change_calendar(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Look at a change again with another date of today, or make it. For GMs."""
    visible = await _open_as_gm(visit)
    form = await read_form(visit.request)
    try:
        reading = CalendarReading(tool="", name="", calendar=_sent_calendar(form.value("calendar")))
    except Rejection as refusal:
        form = Form().with_fault("text", refusal.message)
        return show_page(visit, _read_page(visible, form), REFUSED)
    try:
        await visit.application.rates.act(visible.campaign_id, visible.account)
        fields = ChangeForm.parse(form.without_empty())
        change = await _preview(visit, visible, reading.calendar, fields)
        if fields.do != "set":
            return show_page(visit, await _change_page(visit, visible, reading, form))
        act = ActRequest(SetSetting(CALENDAR, as_json(change.calendar)))
        await submit_command(
            visit.application, visible.campaign_id, visible.account, act, key=checked_key(fields.key or None)
        )
    except Unfit as unfit:
        form = unfit.form.with_fault("", say("That cannot be taken."))
    except REFUSALS as refusal:
        form = form.with_fault("", told_refusal(refusal))
    else:
        return see_other(f"{campaign_path(visible)}/calendar")
    return show_page(visit, await _change_page(visit, visible, reading, form), REFUSED)


async def _open_as_gm(visit: Visit) -> VisibleCampaign:
    """The campaign as a GM sees it. Refuses `gm_only`."""
    visible = await open_campaign(visit)
    if visible.role != "gm":
        raise Forbidden("gm_only", say("Only a GM may change settings."))
    return visible


def _read_page(campaign: VisibleCampaign, form: Form) -> ReadPage:
    return ReadPage(
        **frame_of(campaign),
        form=form,
        presets=[("earth", say("The calendar of Earth")), ("plain", say("Twelve months without leap days"))],
        megabytes_max=FILE_BYTES_MAX // 1_048_576,
    )


def _parse(content: bytes) -> CalendarReading:
    """The calendar in the JSON of a file. Raises `calendar_unknown` and `calendar_unreadable`."""
    if not content.strip():
        raise Rejection("calendar_unreadable", say("Choose a file, or paste its text."))
    try:
        source = msgspec.json.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise Rejection("calendar_unreadable", say("That is no JSON.")) from None
    return read_calendar(source)


def _sent_calendar(text: str) -> CalendarShape:
    """The calendar that the form sent back. Raises `calendar_unreadable`."""
    try:
        return msgspec.json.decode(text, type=CalendarShape)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise Rejection("calendar_unreadable", say("That is no calendar of this form.")) from None


def _date_of_today(campaign: VisibleCampaign, shape: CalendarShape, fields: ChangeForm) -> CalendarDate | None:
    """The date that a form says today is in another calendar; None: time stays."""
    standing = settings_of(OWN, campaign.state.changed_settings).calendar
    today = same_day(standing, campaign.state.game_time, shape)
    if fields.today == "date":
        parts = (fields.year, fields.month, fields.day)
        year, month, day = (
            other if part is None else part
            for part, other in zip(parts, (today.year, today.month, today.day), strict=True)
        )
        return CalendarDate(year, month, day, today.hour, today.minute)
    return today if fields.today == "stays" else None


async def _preview(
    visit: Visit, campaign: VisibleCampaign, shape: CalendarShape, fields: ChangeForm
) -> CalendarChange:
    """The change that a form asks for. Refuses `calendar_invalid` and `date_impossible`."""
    with campaign.refusing():
        require_calendar(shape)
    today = _date_of_today(campaign, shape, fields)
    return await preview_change(visit.application, campaign, shape, today)


async def _change_page(
    visit: Visit, campaign: VisibleCampaign, reading: CalendarReading, form: Form
) -> ChangePage:
    """The page of a change, with every way to make it that there is."""
    ways: list[Way] = []
    cannot_stay = ""
    moves = await _preview(visit, campaign, reading.calendar, ChangeForm("moves"))
    try:
        stays = await _preview(visit, campaign, reading.calendar, ChangeForm("stays"))
    except Rejection as refusal:
        cannot_stay = str(refusal.message)
    else:
        ways.append(_way("stays", stays))
    ways.append(_way("moves", moves))
    if form.value("today") == "date" and not form.wrong:
        fields = ChangeForm.parse(form.without_empty())
        ways.append(_way("date", await _preview(visit, campaign, reading.calendar, fields)))
    usual = "stays" if campaign.state.game_time and not cannot_stay else "moves"
    return ChangePage(
        **frame_of(campaign),
        form=form,
        key=form.value("key") or str(visit.application.entropy.new_id()),
        calendar=msgspec.json.encode(as_json(reading.calendar)).decode(),
        understood=[*reading.understood],
        left_out=[*reading.left_out],
        contradictions=[*reading.contradictions],
        today=date_in_words(moves.now.before),
        timers=[TimerBefore(timer.title, date_in_words(timer.before)) for timer in moves.timers],
        ways=ways,
        chosen=form.value("today") or usual,
        cannot_stay=cannot_stay,
        months=month_names(campaign.language, reading.calendar),
    )


def _way(value: TodayThen, change: CalendarChange) -> Way:
    return Way(value, date_in_words(change.now.after), [date_in_words(timer.after) for timer in change.timers])
