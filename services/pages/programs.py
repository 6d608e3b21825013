"""`/account/programs`: a token for a program, with what limits it."""

from typing import Any, ClassVar, Literal

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.response import Response

from domain.sentences import Sentence, say
from services.accounts.authentication import Label, SaidPassword
from services.api.accounts import new_token
from services.api.authentication import address_of
from services.api.campaigns import your_campaigns
from services.api.paths import uuid_or
from services.application import Application
from services.errors import campaign_not_found
from services.queries.chronicle import LIMIT_MAX
from services.web.answers import REFUSED, Page, shown
from services.web.forms import Checked, Form, Unfit, entered
from services.web.refusals import REFUSALS, told_of_password
from services.web.visitor import Visitor

USUAL = Form({"scope": ["read"], "days": ["90"]})
"""What a form begins with: no more than most programs need."""


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
        """What one does here."""
        return say("A token for a program")


class ProgramForm(Checked, frozen=True):
    """What the token is called and may do, where and for how long; empty: everything, everywhere, for good."""

    label: Label
    password: SaidPassword
    scope: Literal["", "read", "play"] = ""
    campaign: str = ""
    days: Literal["", "7", "30", "90", "365"] = ""

    @classmethod
    def faults(cls) -> dict[str, Sentence]:
        """What is wrong with a field that cannot be taken."""
        return {"label": say("A label has 1 to 80 characters.")}


@get("/account/programs/new")
async def program_page(
    application: NamedDependency[Application], request: Request[Any, Any, Any], visitor: NamedDependency[Visitor]
) -> Response[bytes]:
    """The form."""
    return shown(request, visitor, await _page(application, visitor, USUAL))


@post("/account/programs/new")
async def make_token(
    application: NamedDependency[Application], request: Request[Any, Any, Any], visitor: NamedDependency[Visitor]
) -> Response[bytes]:
    """Make the token, and show it."""
    reader, form = visitor.signed_in, await entered(request)
    try:
        wanted = ProgramForm.read(form)
        await application.rates.confirm(reader.account_id, address_of(request))
        await application.people.require_password(reader, wanted.password)
        token = await new_token(
            application,
            reader.account_id,
            wanted.label,
            wanted.scope or None,
            uuid_or(wanted.campaign, campaign_not_found()) if wanted.campaign else None,
            int(wanted.days) if wanted.days else None,
            None,
        )
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        form = form.refused("password", told_of_password(refusal))
    else:
        page = shown(request, visitor, ProgramPage(reader.name, Form(), [], token))
        page.headers["Cache-Control"] = "no-store"
        return page
    return shown(request, visitor, await _page(application, visitor, form), REFUSED)


async def _page(application: Application, visitor: Visitor, form: Form) -> ProgramPage:
    reader = visitor.signed_in
    page = await your_campaigns(application, reader.account_id, limit=LIMIT_MAX)
    return ProgramPage(reader.name, form, [(str(each.campaign_id), each.name) for each in page.campaigns])
