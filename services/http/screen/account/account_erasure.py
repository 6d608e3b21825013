"""`/account/delete` and `/account/erase-words`: how an account ends, and how only its words do."""

from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Response
from msgspec import structs

from domain.rejection import Rejection
from domain.sentences import Part, say, say_many
from services.accounts.account_deletion import erase_all_texts, request_deletion
from services.accounts.authentication import SaidPassword
from services.application import Application
from services.http.middleware.authentication import address_of
from services.http.screen.account.browser_sign_in import signed_out
from services.http.screen.shared.confirmation import ConfirmPage, Question, Step
from services.http.screen.shared.forms import Form, FormStruct, Unfit, read_form
from services.http.screen.shared.page_responses import REFUSED, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, told_of_password
from services.http.screen.shared.visitor import Visit


class DeletionForm(FormStruct, frozen=True):
    """The password, and whether everything that the account wrote is erased, too."""

    password: SaidPassword
    erase_texts: str = ""


@get("/account/delete")
async def deletion_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Show the meaning of deleting the account."""
    _ = visit.signed_in
    return show_page(visit, ConfirmPage(_deletion(visit.application), Form()))


@post("/account/delete")
async def delete_account(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Have the account deleted, and sign it out; a refusal names the campaigns that would have no GM."""
    reader, form = visit.signed_in, await read_form(visit.request)
    step = _deletion(visit.application)
    try:
        fields = DeletionForm.parse(form)
        await visit.application.rates.confirm(reader.account_id, address_of(visit.request))
        await request_deletion(
            visit.application.for_accounts, reader, fields.password, with_texts=fields.erase_texts == "yes"
        )
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        field = "" if isinstance(refusal, Rejection) else "password"
        form = form.with_fault(field, told_of_password(refusal))
        step = structs.replace(step, links=_campaigns_in(refusal))
    else:
        return await signed_out(visit.application, visit.request, see_other("/sign-in?ended=deleted"))
    return show_page(visit, ConfirmPage(step, form), REFUSED)


@get("/account/erase-words")
async def erasure_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Show the meaning of erasing everything that one wrote."""
    _ = visit.signed_in
    return show_page(visit, ConfirmPage(ERASURE, Form()))


@post("/account/erase-words")
async def erase_words(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Have everything erased that the account wrote."""
    await erase_all_texts(visit.application.for_accounts, visit.signed_in.account_id)
    return see_other("/account?changed=words")


ERASURE = Step(
    heading=say("Erase all your words"),
    means=[
        say("Everything that you ever wrote is erased, in every campaign: names that you gave, notes, reasons."),
        say("What happened stays, with its dice and numbers. What you write later stays, too."),
        say("Nothing brings these words back."),
    ],
    back="/account",
    verb=say("Erase all my words"),
    is_grave=True,
)


def _deletion(application: Application) -> Step:
    days = application.account_grace_days
    return Step(
        heading=say("Delete your account"),
        means=[
            say("You are signed out everywhere at once."),
            say_many(
                "For one day you can sign in again and keep the account.",
                "For {n} days you can sign in again and keep the account.",
                days,
            )
            if days
            else say("It is erased at once, and nothing brings it back."),
            say("Then you leave your campaigns, and others read “a former member” in the place of your name."),
            say("Campaigns with other members that you alone lead have to be handed over first."),
        ],
        back="/account",
        verb=say("Delete the account"),
        asks=[
            Question(
                "erase_texts",
                say("Erase all my words, too"),
                kind="tick",
                help=say("Names that you gave, notes and reasons, in every campaign."),
            ),
            Question("password", say("Current password"), kind="password"),
        ],
        links=[("/api/accounts/me/data", say("Download your data first"))],
        is_grave=True,
    )


def _campaigns_in(refusal: Exception) -> list[tuple[str, Part]]:
    """The way to each campaign that a refusal names."""
    campaigns = refusal.details.get("campaigns", []) if isinstance(refusal, Rejection) else []
    return [
        (f"/c/{campaign['campaign_id']}/members", say("Hand over “{campaign}”", campaign=campaign["name"]))
        for campaign in campaigns
    ]
