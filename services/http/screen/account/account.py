"""`/account`: the reader's account: language, password, and the browsers and programs that are signed in."""

from typing import ClassVar, Literal

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct

from domain.accounts import TokenLimits
from domain.rejection import Missing
from domain.sentences import Language, Sentence, say
from services.accounts.account_deletion import cancel_deletion
from services.accounts.authentication import Password, PersonName, SaidPassword, WrongNameOrPassword
from services.accounts.own_account import Leaving, TextsGoing, describe_account, read_where
from services.accounts.push_call_devices import DevicesPage, devices_of
from services.errors import RateLimitExceeded, session_not_found
from services.http.middleware.authentication import address_of
from services.http.screen.shared.forms import Form, FormStruct, Unfit, read_form
from services.http.screen.shared.page_responses import REFUSED, Page, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, is_of_new_password, told_of_password, told_refusal
from services.http.screen.shared.visitor import Visit
from services.reading.parameters import uuid_or
from services.runtime.time_zones import time_zones


class SignIn(Struct, frozen=True):
    """A browser or a program that is signed in, where and when that ends, and what limits a program."""

    path: str
    label: str
    created_at: str
    used_at: str
    is_this: bool
    expires_at: str
    limits: list[Sentence] = []


class AccountPage(Page, frozen=True):
    """The part of an account that its owner can see and change. `changed` names the change just made."""

    template: ClassVar[str] = "account.html"
    section: ClassVar[str] = "account"
    name: str
    wanted_name: str
    """The name in the form that changes it."""
    language: str
    time_zone: str
    time_zones: tuple[str, ...]
    browsers: list[SignIn]
    programs: list[SignIn]
    leaving: Leaving | None
    erasing: TextsGoing | None
    room: str | None
    devices: DevicesPage
    changed: Sentence | None
    form: Form

    @property
    def title(self) -> Sentence:
        """The page's title: the account's name."""
        return say("Your account")


class PasswordForm(FormStruct, frozen=True):
    """The current password, and the new one."""

    password: SaidPassword
    new_password: Password

    @classmethod
    def faults(cls) -> dict[str, Sentence]:
        """The fault in a new password."""
        return {"new_password": say("A password has 8 to 200 characters.")}


class NameForm(FormStruct, frozen=True):
    """The new name, and the account's password."""

    name: PersonName
    own_password: SaidPassword

    @classmethod
    def faults(cls) -> dict[str, Sentence]:
        """The fault in a new name."""
        return {"name": say("A name has 2 to 40 characters.")}


class LanguageForm(FormStruct, frozen=True):
    """The language to read in; empty: the one that the browser asks for."""

    language: Literal[""] | Language = ""


class TimeZoneForm(FormStruct, frozen=True):
    """The time zone to be told times in; empty: where the service runs."""

    time_zone: str = ""


SCOPES: dict[str, Sentence] = {"read": say("only reads"), "play": say("reads and acts")}

CHANGED: dict[str, Sentence] = {
    "password": say("Your password is changed, and every other sign-in has ended."),
    "name": say("You are called by your new name now, and sign in by it."),
    "language": say("Your language is changed."),
    "time": say("Times are told in your time zone."),
    "ended": say("That sign-in has ended."),
    "kept": say("Your account stays."),
    "words": say("Everything that you wrote is going to be erased."),
    "called": say("You are called on this device from now on."),
    "stop": say("You are called there no more."),
    "say-what": say("Calls there say what waits from now on."),
    "say-less": say("Calls there say only that something waits from now on."),
}


@get("/account")
async def account_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """The account of who is signed in."""
    sentence = CHANGED.get(visit.request.query_params.get("changed", ""))
    return show_page(visit, await account_page_with(visit, Form(), sentence))


@post("/account/language")
async def change_language(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Read everything in another language from now on."""
    account = visit.signed_in.account_id
    fields = LanguageForm.parse(await read_form(visit.request))
    await visit.application.people.read_in(account, fields.language or None)
    return see_other("/account?changed=language")


@post("/account/time-zone")
async def change_time_zone(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Be told times of another time zone from now on."""
    form = await read_form(visit.request)
    try:
        fields = TimeZoneForm.parse(form)
        await read_where(visit.application.for_accounts, visit.signed_in.account_id, fields.time_zone or None)
    except REFUSALS as refusal:
        form = form.with_fault("time_zone", told_refusal(refusal))
        return show_page(visit, await account_page_with(visit, form), REFUSED)
    return see_other("/account?changed=time")


@post("/account/password")
async def change_password(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Take another password; all other sign-ins end."""
    reader, form = visit.signed_in, await read_form(visit.request)
    try:
        fields = PasswordForm.parse(form)
        await visit.application.rates.confirm(reader.account_id, address_of(visit.request))
        await visit.application.people.change_password(reader, fields.password, fields.new_password)
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        field = "new_password" if is_of_new_password(refusal) else "password"
        form = form.with_fault(field, told_of_password(refusal))
    else:
        return see_other("/account?changed=password")
    return show_page(visit, await account_page_with(visit, form), REFUSED)


@post("/account/name")
async def change_name(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Take another name."""
    reader, form = visit.signed_in, await read_form(visit.request)
    try:
        fields = NameForm.parse(form)
        await visit.application.rates.confirm(reader.account_id, address_of(visit.request))
        await visit.application.people.rename(reader, fields.name, fields.own_password)
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        is_of_password = isinstance(refusal, WrongNameOrPassword | RateLimitExceeded)
        form = form.with_fault("own_password" if is_of_password else "name", told_of_password(refusal))
    else:
        return see_other("/account?changed=name")
    return show_page(visit, await account_page_with(visit, form), REFUSED)


@post("/account/sign-ins/{session:str}/end")
async def end_session(visit: NamedDependency[Visit], session: FromPath[str]) -> Response[bytes]:
    """Sign a browser out."""
    session_id = uuid_or(session, session_not_found())
    await visit.application.people.end_session(visit.signed_in.account_id, session_id)
    return see_other("/account?changed=ended")


@post("/account/programs/{token:str}/end")
async def end_token(visit: NamedDependency[Visit], token: FromPath[str]) -> Response[bytes]:
    """Sign a program out."""
    token_id = uuid_or(token, Missing("token_not_found", "You have no such token."))
    await visit.application.people.revoke(visit.signed_in.account_id, token_id)
    return see_other("/account?changed=ended")


@post("/account/sign-ins/end-others")
async def end_others(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Sign all browsers out but this one."""
    await visit.application.people.end_other_sessions(visit.signed_in)
    return see_other("/account?changed=ended")


@post("/account/keep")
async def keep(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Call off the deletion of the account."""
    await cancel_deletion(visit.application.for_accounts, visit.signed_in.account_id)
    return see_other("/account?changed=kept")


async def account_page_with(visit: Visit, form: Form, sentence: Sentence | None = None) -> AccountPage:
    """The page of the reader's account with what was entered in a form, and what was changed just now."""
    reader = visit.signed_in
    browsers = await visit.application.people.sessions(reader.account_id)
    programs = await visit.application.people.tokens(reader.account_id)
    account = await describe_account(visit.application.for_accounts, reader)
    return AccountPage(
        name=reader.name,
        wanted_name=form.value("name") if "name" in form.values else reader.name,
        language=reader.language or "",
        time_zone=reader.time_zone or "",
        time_zones=time_zones(),
        browsers=[
            SignIn(
                f"/account/sign-ins/{browser.session_id}/end",
                browser.label,
                browser.created_at.isoformat(),
                browser.last_used_at.isoformat(),
                browser.session_id == reader.token_id,
                browser.expires_at.isoformat(),
            )
            for browser in reversed(browsers)
        ],
        programs=[
            SignIn(
                f"/account/programs/{program.token_id}/end",
                program.label,
                program.created_at.isoformat(),
                (program.last_used_at or program.created_at).isoformat(),
                is_this=False,
                expires_at=program.expires_at.isoformat(),
                limits=_limits(program.limits),
            )
            for program in programs
        ],
        leaving=account.leaving,
        erasing=account.erasing,
        room=account.storage.warning if account.storage is not None else None,
        devices=await devices_of(visit.application.devices, visit.application.people, reader),
        changed=sentence,
        form=form,
    )


def _limits(limits: TokenLimits) -> list[Sentence]:
    """The limits of a token, in sentences."""
    sentences = [SCOPES[limits.scope]] if limits.scope is not None else []
    if limits.campaign_id is not None:
        sentences.append(say("in one campaign"))
    return sentences
