"""`/c/{campaign}/webhooks`: addresses elsewhere that are told what happens in a campaign."""

from typing import ClassVar, Literal

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response

from domain.ids import AccountId
from domain.rejection import Forbidden
from domain.sentences import Sentence, say
from domain.webhooks import WEBHOOKS_MAX
from services.http.route_parameters import checked_key
from services.http.screen.shared.campaign_page import CampaignPage, frame_of
from services.http.screen.shared.forms import Form, read_form
from services.http.screen.shared.page_responses import REFUSED, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, told_refusal
from services.http.screen.shared.visitor import Visit, open_campaign
from services.lifecycle.sealed_webhooks import NewWebhook
from services.lifecycle.webhooks import (
    MadeWebhook,
    WebhookView,
    delete_webhook,
    make_webhook,
    retry_webhook,
    webhooks_of,
)

KINDS: dict[str, Sentence] = {
    "sessions": say("Play sessions: when one begins, and when it ends, with its recap"),
    "scenes": say("Scenes: when one begins, and when it ends, with what happened in it"),
    "waiting": say("Answers that the table waits for, and from whom"),
    "dates": say("The dates of the next play session"),
    "actions": say("Every action, in words"),
}
"""The kinds of news for a webhook, in the words of its form."""
SHORT: dict[str, Sentence] = {
    "sessions": say("play sessions"),
    "scenes": say("scenes"),
    "waiting": say("awaited answers"),
    "dates": say("dates"),
    "actions": say("actions"),
}
STATES: dict[str, Sentence] = {
    "waiting": say("has been told everything"),
    "sending": say("is being told"),
    "failing": say("fails"),
    "parked": say("given up"),
}
USUAL = Form({"form": ["discord"], "kinds": ["sessions", "dates"]})
"""The form's first values."""


class WebhooksPage(CampaignPage, frozen=True, kw_only=True):
    """The webhooks, and the form for another one; `new_webhook` is the one made just now, with its secret."""

    template: ClassVar[str] = "webhooks.html"
    section: ClassVar[str] = "home"
    webhooks: list[WebhookView]
    form: Form
    new_webhook: MadeWebhook | None
    notice: Sentence | None
    may_make: bool
    is_archived: bool
    key: str
    """New on each page: sent twice, the form makes one webhook."""
    makers: dict[AccountId, str]
    gms: set[AccountId]
    kinds: ClassVar[dict[str, Sentence]] = KINDS
    short_kinds: ClassVar[dict[str, Sentence]] = SHORT
    states: ClassVar[dict[str, Sentence]] = STATES

    @property
    def title(self) -> Sentence:
        """The page's title."""
        return say("Webhooks")


@get("/c/{campaign:str}/webhooks")
async def webhooks_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """All webhooks of a campaign; GMs only."""
    query = visit.request.query_params
    notice = None
    if "deleted" in query:
        notice = say("The webhook is deleted: nothing more is sent to it.")
    elif "retried" in query:
        notice = say("It is tried again now.")
    return show_page(visit, await _page(visit, USUAL, notice=notice))


@post("/c/{campaign:str}/webhooks")
async def make(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Make a webhook, and show its secret."""
    account, form = visit.signed_in.account_id, await read_form(visit.request)
    entries = {"url": form.value("url").strip(), "kinds": form.values.get("kinds", []), "form": form.value("form")}
    if not entries["kinds"]:
        form = form.with_fault("kinds", say("Choose at least one."))
        return show_page(visit, await _page(visit, form), REFUSED)
    try:
        request, key = msgspec.convert(entries, NewWebhook), checked_key(form.value("key") or None)
        new_webhook = await make_webhook(visit.application.for_campaigns, account, visit.campaign_id, request, key)
    except msgspec.ValidationError:
        form = form.with_fault("url", say("An address of at most 2,000 characters is needed."))
        return show_page(visit, await _page(visit, form), REFUSED)
    except REFUSALS as refusal:
        if isinstance(refusal, Forbidden):
            raise
        form = form.with_fault("url", told_refusal(refusal))
        return show_page(visit, await _page(visit, form), REFUSED)
    answer = show_page(visit, await _page(visit, USUAL, new_webhook=new_webhook))
    answer.headers["Cache-Control"] = "no-store"
    return answer


@post("/c/{campaign:str}/webhooks/{webhook:str}/{step:str}")
async def change(
    visit: NamedDependency[Visit], webhook: FromPath[str], step: FromPath[Literal["retry", "delete"]]
) -> Response[bytes]:
    """Try a webhook again, or delete it."""
    account, parts = visit.signed_in.account_id, visit.application.for_campaigns
    if step == "retry":
        await retry_webhook(parts, account, visit.campaign_id, webhook)
    else:
        await delete_webhook(parts, account, visit.campaign_id, webhook)
    return see_other(f"/c/{visit.campaign_id}/webhooks?{'retried' if step == 'retry' else 'deleted'}=yes")


async def _page(
    visit: Visit, form: Form, *, new_webhook: MadeWebhook | None = None, notice: Sentence | None = None
) -> WebhooksPage:
    visible = await open_campaign(visit)
    page = await webhooks_of(visit.application.for_campaigns, visit.signed_in.account_id, visit.campaign_id)
    is_archived = visible.state.archived_at is not None
    return WebhooksPage(
        **frame_of(visible),
        webhooks=page.webhooks,
        form=form,
        new_webhook=new_webhook,
        notice=notice,
        may_make=not is_archived and len(page.webhooks) < WEBHOOKS_MAX,
        is_archived=is_archived,
        key=str(visit.application.entropy.new_id()),
        makers={webhook.created_by: visible.name(webhook.created_by) for webhook in page.webhooks},
        gms={account for account, role in visible.state.members.items() if role == "gm"},
    )
