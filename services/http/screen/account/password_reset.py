"""`/reset-password`: another password, by a link from who runs the service."""

from typing import ClassVar

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response

from domain.rejection import Rejection
from domain.sentences import Sentence, say
from services.accounts.authentication import Password
from services.http.screen.account.browser_sign_in import signed_out
from services.http.screen.shared.forms import Form, FormStruct, Unfit, read_form
from services.http.screen.shared.page_responses import REFUSED, Page, see_other, show_page
from services.http.screen.shared.refusals import is_of_new_password, told_refusal
from services.http.screen.shared.visitor import Visit


class ResetPage(Page, frozen=True):
    """The form for another password of the account called `name`."""

    template: ClassVar[str] = "password_reset.html"
    code: str
    name: str
    form: Form

    @property
    def title(self) -> Sentence:
        """The page's title."""
        return say("Choose a new password")


class ResetForm(FormStruct, frozen=True):
    """The new password."""

    new_password: Password

    @classmethod
    def faults(cls) -> dict[str, Sentence]:
        """The fault in a new password."""
        return {"new_password": say("A password has 8 to 200 characters.")}


@get("/reset-password/{code:str}")
async def reset_page(visit: NamedDependency[Visit], code: FromPath[str]) -> Response[bytes]:
    """The account whose password is set here."""
    account = await visit.application.people.reset_for(code)
    return show_page(visit, ResetPage(code, account.name, Form()))


@post("/reset-password/{code:str}")
async def reset(visit: NamedDependency[Visit], code: FromPath[str]) -> Response[bytes]:
    """Take the password, and sign the account out everywhere, and this browser as well."""
    account, form = await visit.application.people.reset_for(code), await read_form(visit.request)
    try:
        fields = ResetForm.parse(form)
        await visit.application.people.reset_password(code, fields.new_password)
    except Unfit as unfit:
        return show_page(visit, ResetPage(code, account.name, unfit.form), REFUSED)
    except Rejection as refusal:
        if not is_of_new_password(refusal):
            raise
        form = form.with_fault("new_password", told_refusal(refusal))
        return show_page(visit, ResetPage(code, account.name, form), REFUSED)
    return await signed_out(visit.application, visit.request, see_other("/sign-in?ended=password"))
