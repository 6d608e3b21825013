"""Pages of steps that are not easily taken back, such as `/c/{campaign}/archive` and `/restore/{campaign}`."""

from typing import Any

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response

from domain.ids import CampaignId
from domain.rejection import Missing
from domain.sentences import say
from services.api.campaigns import DeletedCampaign, all_your_deleted_campaigns
from services.api.paths import campaign_of
from services.application import Application
from services.campaigns.deletion import restore_campaign
from services.campaigns.lifecycle import remove_member
from services.errors import campaign_not_found
from services.web.answers import REFUSED, see_other, shown
from services.web.campaign_page import frame_of, member_of, seen_by
from services.web.campaign_steps import DELETED, LEFT, OF_A_MEMBER, OF_THE_CAMPAIGN, Asked, CampaignStep
from services.web.confirmation import CampaignConfirmPage, ConfirmPage, Step
from services.web.forms import Form, Unfit, entered
from services.web.refusals import REFUSALS, told_refusal
from services.web.visitor import Visitor

CAMPAIGN_STEPS = [f"/c/{{campaign:str}}/{step}" for step in OF_THE_CAMPAIGN]
MEMBER_STEPS = [f"/c/{{campaign:str}}/members/{{account:str}}/{step}" for step in OF_A_MEMBER]


@get(CAMPAIGN_STEPS)
async def step_page(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """What a step about the campaign means."""
    seen = await seen_by(application, visitor, campaign)
    asked = Asked(application, seen, seen.account)
    return shown(request, visitor, _page(asked, OF_THE_CAMPAIGN[_name(request)], Form()))


@post(CAMPAIGN_STEPS)
async def take_step(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """Take a step about the campaign. Sent once more after it was taken, it is answered alike."""
    try:
        seen = await seen_by(application, visitor, campaign)
    except Missing:
        return await _taken_before(application, visitor, campaign, _name(request))
    return await _taken(request, visitor, Asked(application, seen, seen.account), OF_THE_CAMPAIGN[_name(request)])


@get(MEMBER_STEPS)
async def member_step_page(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    account: FromPath[str],
) -> Response[bytes]:
    """What a step about a member means."""
    seen = await seen_by(application, visitor, campaign)
    asked = Asked(application, seen, member_of(seen, account))
    return shown(request, visitor, _page(asked, OF_A_MEMBER[_name(request)], Form()))


@post(MEMBER_STEPS)
async def take_member_step(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    account: FromPath[str],
) -> Response[bytes]:
    """Take a step about a member. Sent once more after it was taken, it is answered alike."""
    step = _name(request)
    try:
        seen = await seen_by(application, visitor, campaign)
    except Missing:
        is_own = step == "remove" and account == str(visitor.signed_in.account_id)
        return await _taken_before(application, visitor, campaign, "leave" if is_own else step)
    member = member_of(seen, account, or_removed=step == "remove")
    return await _taken(request, visitor, Asked(application, seen, member), OF_A_MEMBER[step])


@get("/restore/{campaign:str}")
async def restore_page(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """What it means to restore a deleted campaign. Refuses `campaign_not_found`."""
    found = await _deleted(application, visitor, campaign_of(campaign))
    return shown(request, visitor, ConfirmPage(_restoring(found), Form()))


@post("/restore/{campaign:str}")
async def restore(
    application: NamedDependency[Application],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """Restore a deleted campaign, and go there; one that is back already stays as it is."""
    seen = await restore_campaign(application.for_campaigns, campaign_of(campaign), visitor.signed_in.account_id)
    return see_other(f"/c/{seen.campaign_id}")


def _name(request: Request[Any, Any, Any]) -> str:
    return request.url.path.rstrip("/").rpartition("/")[2]


def _page(asked: Asked, step: CampaignStep, form: Form) -> CampaignConfirmPage:
    return CampaignConfirmPage(**frame_of(asked.seen), step=step.shown_to(asked), form=form)


async def _taken(
    request: Request[Any, Any, Any], visitor: Visitor, asked: Asked, step: CampaignStep
) -> Response[bytes]:
    form = await entered(request)
    try:
        return see_other(await step.taken(asked, form))
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        field = "name" if getattr(refusal, "code", "") == "name_differs" else ""
        form = form.refused(field, told_refusal(refusal))
    return shown(request, visitor, _page(asked, step, form), REFUSED)


async def _taken_before(application: Application, visitor: Visitor, campaign: str, step: str) -> Response[bytes]:
    """Where a step leads that was taken before: the campaign is not found since. Refuses `campaign_not_found`."""
    found, account = campaign_of(campaign), visitor.signed_in.account_id
    if step == "leave":
        await remove_member(application.for_campaigns, found, account, account)
        return see_other(LEFT)
    if step == "delete":
        await _deleted(application, visitor, found)
        return see_other(DELETED)
    raise campaign_not_found()


async def _deleted(application: Application, visitor: Visitor, campaign: CampaignId) -> DeletedCampaign:
    """A deleted campaign that the visitor may restore."""
    async for each in all_your_deleted_campaigns(application, visitor.signed_in.account_id):
        if each.campaign_id == campaign:
            return each
    raise campaign_not_found()


def _restoring(found: DeletedCampaign) -> Step:
    return Step(
        heading=say("Restore “{campaign}”", campaign=found.name),
        means=[
            say("It is as it was when {name} deleted it, with all its members.", name=found.deleted_by),
            say("Timers in real time go on with the time that they had left."),
        ],
        back="/",
        verb=say("Restore the campaign"),
    )
