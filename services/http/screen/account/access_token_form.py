"""`/account/programs`: a token for a program, with what limits it."""

from typing import ClassVar, Literal

from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Response

from domain.sentences import Sentence, say
from services.accounts.authentication import Label, SaidPassword
from services.accounts.own_account import new_token
from services.errors import campaign_not_found
from services.http.middleware.authentication import address_of
from services.http.screen.shared.forms import Form, FormStruct, Unfit, read_form
from services.http.screen.shared.page_responses import REFUSED, Page, show_page
from services.http.screen.shared.refusals import REFUSALS, told_of_password
from services.http.screen.shared.visitor import Visit
from services.lifecycle.campaign_lists import your_campaigns
from services.reading.chronicle import LIMIT_MAX
from services.reading.parameters import uuid_or

USUAL = Form({"scope": ["read"], "days": ["90"]})
"""The form's first values: no more than most programs need."""


class ProgramPage(Page, frozen=True):
    """The form for a token, or the `token` that was made, which is shown this once."""

    template: ClassVar[str] = "program.html"
    section: ClassVar[str] = "account"
    name: str
    form: Form
    campaigns: list[tuple[str, str]]
    token: str = ""

    @property
    def title(self) -> Sentence:
        """The page's title."""
        return say("A token for a program")


class ProgramForm(FormStruct, frozen=True):
    """A token's name, scope, campaign and time; empty: everything, everywhere, for good."""

    label: Label
    password: SaidPassword
    scope: Literal["", "read", "play"] = ""
    campaign: str = ""
    days: Literal["", "7", "30", "90", "365"] = ""

    @classmethod
    def faults(cls) -> dict[str, Sentence]:
        """The fault in a field that cannot be taken."""
        return {"label": say("A label has 1 to 80 characters.")}


@get("/account/programs/new")
async def program_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """The form."""
    return show_page(visit, await _page(visit, USUAL))


@post("/account/programs/new")
async def make_token(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Make the token, and show it."""
    reader, form = visit.signed_in, await read_form(visit.request)
    try:
        fields = ProgramForm.parse(form)
        await visit.application.rates.confirm(reader.account_id, address_of(visit.request))
        await visit.application.people.require_password(reader, fields.password)
        token = await new_token(
            visit.application.for_accounts,
            reader.account_id,
            fields.label,
            fields.scope or None,
            uuid_or(fields.campaign, campaign_not_found()) if fields.campaign else None,
            int(fields.days) if fields.days else None,
            None,
        )
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        form = form.with_fault("password", told_of_password(refusal))
    else:
        page = show_page(visit, ProgramPage(reader.name, Form(), [], token))
        page.headers["Cache-Control"] = "no-store"
        return page
    return show_page(visit, await _page(visit, form), REFUSED)


async def _page(visit: Visit, form: Form) -> ProgramPage:
    reader = visit.signed_in
    page = await your_campaigns(visit.application.for_campaigns, reader.account_id, limit=LIMIT_MAX)
    return ProgramPage(
        reader.name, form, [(str(campaign.campaign_id), campaign.name) for campaign in page.campaigns]
    )
