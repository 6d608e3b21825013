"""`/c/{campaign}/settings`: what a group has settled, what it may settle otherwise, and ways to end it all."""

from typing import Any, ClassVar

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct

from domain.campaign.commands import SetSetting
from domain.campaign.request import ActRequest
from domain.sentences import Part, Sentence, say, say_many
from domain.systems import SYSTEMS
from services.application import Application
from services.commands.submit import submit_command
from services.queries.campaign_reader import PointInTime, VisibleCampaign
from services.queries.chronicle import Filters, actions_page
from services.web.answers import REFUSED, see_other, shown
from services.web.campaign_page import CampaignPage, campaign_path, frame_of, read_paths, seen_by
from services.web.command_entries import Entered, sent_entries
from services.web.command_form import rearranged
from services.web.command_page import UNFIT
from services.web.refusals import REFUSALS, told_refusal
from services.web.setting_fields import SettingForm, SettingGroup, settings_in
from services.web.visitor import Visitor

SAVE = "save"
DIGITS_MAX = 15
OF_ONE = ("setting_invalid", "unknown_setting")
"""The refusals that are about one setting; others are about all of them."""


class Founding(Struct, frozen=True):
    """What was settled when the campaign was founded, and stays: its games, when that was, and who did it."""

    games: list[str]
    at: str
    by: str


class SettingsPage(CampaignPage, frozen=True):
    """All settings, with what they mean; `as_of` is the seq as of which the form was shown."""

    template: ClassVar[str] = "settings.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "home"
    founding: Founding
    groups: list[SettingGroup]
    as_of: int
    may_change: bool
    is_archived: bool
    changed: Sentence | None
    wrong: Part

    @property
    def title(self) -> Sentence:
        """What is settled here."""
        return say("Settings")


@get(read_paths("/settings"))
async def settings_page(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """The settings as they are; with `?changed=` how many of them were changed just now."""
    seen = await seen_by(application, visitor, campaign)
    said = _number(request.query_params.get("changed", ""))
    return shown(request, visitor, await _page(application, seen, SettingForm(seen), seen.seq, _changed(said)))


@post("/c/{campaign:str}/settings")
async def change_settings(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """Change what was entered otherwise than it stood when the form was shown; or show the form as it is."""
    seen = await seen_by(application, visitor, campaign)
    entries = sent_entries(await request.body())
    said = Entered(entries)
    form = SettingForm(seen, rearranged(entries, said.last("do")))
    as_of = min(_number(said.last("as_of")) or seen.seq, seen.seq)
    if said.last("do") != SAVE:
        return shown(request, visitor, await _page(application, seen, form, as_of))
    wanted = form.read()
    if form.wrong:
        return shown(request, visitor, await _page(application, seen, form, as_of, wrong=UNFIT), REFUSED)
    different = await _different(application, seen, wanted, as_of)
    wrong = await _refused(application, seen, different, form)
    if not wrong:
        try:
            await _change(application, seen, different)
        except REFUSALS as refusal:
            wrong = told_refusal(refusal)
    if wrong:
        return shown(request, visitor, await _page(application, seen, form, as_of, wrong=wrong), REFUSED)
    return see_other(f"{campaign_path(seen)}/settings?changed={len(different)}")


async def _different(
    application: Application, seen: VisibleCampaign, wanted: dict[str, Any], as_of: int
) -> dict[str, Any]:
    """What differs from both what was shown and what is set by now.

    What another GM has changed meanwhile stays, unless it was changed in the form too.
    """
    shown_then = settings_in(
        await application.campaigns.see(seen.campaign_id, seen.account, PointInTime(seq=as_of))
    )
    now = settings_in(seen)
    return {key: value for key, value in wanted.items() if value not in (shown_then[key].value, now[key].value)}


async def _refused(
    application: Application, seen: VisibleCampaign, wanted: dict[str, Any], form: SettingForm
) -> Part:
    """Why settings cannot be changed: all are tried before one is sent. The form says what is wrong with which."""
    found: Part = ""
    for key, value in wanted.items():
        refused = (await application.possible.dry_run(seen, SetSetting(key, value))).refused
        if refused is not None and refused.code in OF_ONE:
            form.wrong[key] = refused.detail
            found = found or UNFIT
        elif refused is not None:
            return refused.detail
    return found


async def _change(application: Application, seen: VisibleCampaign, wanted: dict[str, Any]) -> None:
    """Change settings. All of them are counted first, so that no rate stops the last ones."""
    for _ in wanted:
        await application.rates.act(seen.campaign_id, seen.account)
    for key, value in wanted.items():
        act = ActRequest(command=SetSetting(key, value))
        await submit_command(application, seen.campaign_id, seen.account, act)


async def _page(
    application: Application,
    seen: VisibleCampaign,
    form: SettingForm,
    as_of: int,
    changed: Sentence | None = None,
    wrong: Part = "",
) -> SettingsPage:
    first = (await actions_page(application.log, application.views, seen, 0, 1, Filters())).actions[0]
    is_archived = seen.state.archived_at is not None
    may_change = seen.role == "gm" and not is_archived
    return SettingsPage(
        **frame_of(seen),
        founding=Founding(
            [SYSTEMS[system].title for system in seen.state.systems], first.at, first.actor_name or ""
        ),
        groups=form.groups(may_change=may_change),
        as_of=as_of,
        may_change=may_change,
        is_archived=is_archived,
        changed=changed,
        wrong=wrong,
    )


def _number(said: str) -> int | None:
    return int(said) if said.isascii() and said.isdigit() and len(said) <= DIGITS_MAX else None


def _changed(n: int | None) -> Sentence | None:
    if n is None:
        return None
    if n == 0:
        return say("Everything stands as it did.")
    return say_many("One setting is changed.", "{n} settings are changed.", n)
