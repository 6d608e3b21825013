"""Pages of steps that are not easily taken back, such as `/c/{campaign}/archive` and `/restore/{campaign}`."""

from typing import Any

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response

from domain.ids import CampaignId
from domain.rejection import Missing
from domain.sentences import say
from services.errors import campaign_not_found
from services.http.screen.shared.campaign_page import frame_of, member_of
from services.http.screen.shared.confirmation import CampaignConfirmPage, ConfirmPage, Step
from services.http.screen.shared.forms import Form, Unfit, read_form
from services.http.screen.shared.irreversible_steps import (
    DELETED,
    LEFT,
    OF_A_MEMBER,
    OF_THE_CAMPAIGN,
    CampaignStep,
    StepSubject,
)
from services.http.screen.shared.page_responses import REFUSED, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, told_refusal
from services.http.screen.shared.visitor import Visit, open_campaign
from services.lifecycle.campaign_lists import DeletedCampaign, all_your_deleted_campaigns
from services.lifecycle.deletion import restore_campaign
from services.lifecycle.membership import remove_member

CAMPAIGN_STEPS = [f"/c/{{campaign:str}}/{step}" for step in OF_THE_CAMPAIGN]
MEMBER_STEPS = [f"/c/{{campaign:str}}/members/{{account:str}}/{step}" for step in OF_A_MEMBER]


@get(CAMPAIGN_STEPS)
async def step_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Show the meaning of a step about the campaign."""
    visible = await open_campaign(visit)
    subject = StepSubject(visit.application, visible, visible.account)
    return show_page(visit, _page(subject, OF_THE_CAMPAIGN[_name(visit.request)], Form()))


@post(CAMPAIGN_STEPS)
async def take_step(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Take a step about the campaign. Sent once more after it was taken, it is answered alike."""
    try:
        visible = await open_campaign(visit)
    except Missing:
        return await _taken_before(visit, _name(visit.request))
    return await _take(
        visit, StepSubject(visit.application, visible, visible.account), OF_THE_CAMPAIGN[_name(visit.request)]
    )


@get(MEMBER_STEPS)
async def member_step_page(visit: NamedDependency[Visit], account: FromPath[str]) -> Response[bytes]:
    """Show the meaning of a step about a member."""
    visible = await open_campaign(visit)
    subject = StepSubject(visit.application, visible, member_of(visible, account))
    return show_page(visit, _page(subject, OF_A_MEMBER[_name(visit.request)], Form()))


@post(MEMBER_STEPS)
async def take_member_step(visit: NamedDependency[Visit], account: FromPath[str]) -> Response[bytes]:
    """Take a step about a member. Sent once more after it was taken, it is answered alike."""
    step = _name(visit.request)
    try:
        visible = await open_campaign(visit)
    except Missing:
        is_own = step == "remove" and account == str(visit.signed_in.account_id)
        return await _taken_before(visit, "leave" if is_own else step)
    member = member_of(visible, account, or_removed=step == "remove")
    return await _take(visit, StepSubject(visit.application, visible, member), OF_A_MEMBER[step])


@get("/restore/{campaign:str}")
async def restore_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Show the meaning of restoring a deleted campaign. Refuses `campaign_not_found`."""
    deleted_campaign = await _deleted(visit, visit.campaign_id)
    return show_page(visit, ConfirmPage(_restoring(deleted_campaign), Form()))


@post("/restore/{campaign:str}")
async def restore(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Restore a deleted campaign, and go there; one that is back already stays as it is."""
    visible = await restore_campaign(
        visit.application.for_campaigns, visit.campaign_id, visit.signed_in.account_id
    )
    return see_other(f"/c/{visible.campaign_id}")


def _name(request: Request[Any, Any, Any]) -> str:
    return request.url.path.rstrip("/").rpartition("/")[2]


def _page(subject: StepSubject, step: CampaignStep, form: Form) -> CampaignConfirmPage:
    return CampaignConfirmPage(**frame_of(subject.campaign), step=step.shown_to(subject), form=form)


async def _take(visit: Visit, subject: StepSubject, step: CampaignStep) -> Response[bytes]:
    form = await read_form(visit.request)
    try:
        return see_other(await step.take(subject, form))
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        field = "name" if getattr(refusal, "code", "") == "name_differs" else ""
        form = form.with_fault(field, told_refusal(refusal))
    return show_page(visit, _page(subject, step, form), REFUSED)


async def _taken_before(visit: Visit, step: str) -> Response[bytes]:
    """Where a step leads that was taken before: the campaign is not found since. Refuses `campaign_not_found`."""
    campaign_id, account = visit.campaign_id, visit.signed_in.account_id
    if step == "leave":
        await remove_member(visit.application.for_campaigns, campaign_id, account, account)
        return see_other(LEFT)
    if step == "delete":
        await _deleted(visit, campaign_id)
        return see_other(DELETED)
    raise campaign_not_found()


async def _deleted(visit: Visit, campaign: CampaignId) -> DeletedCampaign:
    """A deleted campaign that the visitor may restore."""
    async for deleted_campaign in all_your_deleted_campaigns(
        visit.application.for_campaigns, visit.signed_in.account_id
    ):
        if deleted_campaign.campaign_id == campaign:
            return deleted_campaign
    raise campaign_not_found()


def _restoring(campaign: DeletedCampaign) -> Step:
    return Step(
        heading=say("Restore “{campaign}”", campaign=campaign.name),
        means=[
            say("It is as it was when {name} deleted it, with all its members.", name=campaign.deleted_by),
            say("Timers in real time go on with the time that they had left."),
        ],
        back="/",
        verb=say("Restore the campaign"),
    )
