"""`/c/{campaign}/settings`: a group's settings, the ways to change them, and the ways to end the campaign."""

from typing import Any, ClassVar

from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Response
from msgspec import Struct

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import SetSetting
from domain.sentences import Part, Sentence, say, say_many
from domain.systems import SYSTEMS
from services.application import Application
from services.campaign.visible_campaign import PointInTime, VisibleCampaign
from services.commands.submit import submit_command
from services.http.screen.commands.command_form import rearranged
from services.http.screen.commands.command_page import UNFIT
from services.http.screen.commands.form_entries import FormEntries, sent_entries
from services.http.screen.settings.setting_fields import SettingForm, SettingGroup, settings_in
from services.http.screen.shared.campaign_page import CampaignPage, campaign_path, frame_of, read_paths
from services.http.screen.shared.page_responses import REFUSED, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, told_refusal
from services.http.screen.shared.visitor import Visit, open_campaign
from services.reading.chronicle import Filters, actions_page

SAVE = "save"
DIGITS_MAX = 15
OF_ONE = ("setting_invalid", "unknown_setting")
"""The refusals that are about one setting; others are about all of them."""


class Founding(Struct, frozen=True):
    """The settings that stay as they were when the campaign was created: its games, that time, and its founder."""

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
        """The page's title."""
        return say("Settings")


@get(read_paths("/settings"))
async def settings_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """The settings as they are; with `?changed=` how many of them were changed just now."""
    visible = await open_campaign(visit)
    count = _number(visit.request.query_params.get("changed", ""))
    return show_page(
        visit,
        await _page(visit.application, visible, SettingForm(visible), visible.seq, _narrate_changes(count)),
    )


@post("/c/{campaign:str}/settings")
async def change_settings(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Change what was entered otherwise than it stood when the form was shown; or show the form as it is."""
    visible = await open_campaign(visit)
    entries = sent_entries(await visit.request.body())
    inputs = FormEntries(entries)
    form = SettingForm(visible, rearranged(entries, inputs.last("do")))
    as_of = min(_number(inputs.last("as_of")) or visible.seq, visible.seq)
    if inputs.last("do") != SAVE:
        return show_page(visit, await _page(visit.application, visible, form, as_of))
    settings = form.read_settings()
    if form.wrong:
        return show_page(visit, await _page(visit.application, visible, form, as_of, wrong=UNFIT), REFUSED)
    different = await _different(visit.application, visible, settings, as_of)
    wrong = await _refusal(visit.application, visible, different, form)
    if not wrong:
        try:
            await _change(visit.application, visible, different)
        except REFUSALS as refusal:
            wrong = told_refusal(refusal)
    if wrong:
        return show_page(visit, await _page(visit.application, visible, form, as_of, wrong=wrong), REFUSED)
    return see_other(f"{campaign_path(visible)}/settings?changed={len(different)}")


async def _different(
    application: Application, campaign: VisibleCampaign, settings: dict[str, Any], as_of: int
) -> dict[str, Any]:
    """The values that differ both from those shown and from those set by now.

    Another GM's change meanwhile stays, unless the form changed it too.
    """
    shown_then = settings_in(
        await application.campaigns.see(campaign.campaign_id, campaign.account, PointInTime(seq=as_of))
    )
    now = settings_in(campaign)
    return {key: value for key, value in settings.items() if value not in (shown_then[key].value, now[key].value)}


async def _refusal(
    application: Application, campaign: VisibleCampaign, settings: dict[str, Any], form: SettingForm
) -> Part:
    """Why settings cannot be changed: all are tried before one is sent. The form says what is wrong with which."""
    reason: Part = ""
    for key, value in settings.items():
        refusal = (await application.possible.dry_run(campaign, SetSetting(key, value))).refused
        if refusal is not None and refusal.code in OF_ONE:
            form.wrong[key] = refusal.detail
            reason = reason or UNFIT
        elif refusal is not None:
            return refusal.detail
    return reason


async def _change(application: Application, campaign: VisibleCampaign, settings: dict[str, Any]) -> None:
    """Change settings. All of them are counted first, so that no rate stops the last ones."""
    for _ in settings:
        await application.rates.act(campaign.campaign_id, campaign.account)
    for key, value in settings.items():
        act = ActRequest(command=SetSetting(key, value))
        await submit_command(application, campaign.campaign_id, campaign.account, act)


async def _page(
    application: Application,
    campaign: VisibleCampaign,
    form: SettingForm,
    as_of: int,
    sentence: Sentence | None = None,
    wrong: Part = "",
) -> SettingsPage:
    first = (await actions_page(application.log, application.views, campaign, 0, 1, Filters())).actions[0]
    is_archived = campaign.state.archived_at is not None
    may_change = campaign.role == "gm" and not is_archived
    return SettingsPage(
        **frame_of(campaign),
        founding=Founding(
            [SYSTEMS[system].title for system in campaign.state.systems], first.at, first.actor_name or ""
        ),
        groups=form.groups(may_change=may_change),
        as_of=as_of,
        may_change=may_change,
        is_archived=is_archived,
        changed=sentence,
        wrong=wrong,
    )


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= DIGITS_MAX else None


def _narrate_changes(n: int | None) -> Sentence | None:
    if n is None:
        return None
    if n == 0:
        return say("Everything stands as it did.")
    return say_many("One setting is changed.", "{n} settings are changed.", n)
