"""`/bring`: a campaign from a file: its content and its people's accounts here, then the button that brings it."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, BinaryIO, ClassVar

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.response import Response
from msgspec import Struct, structs

from domain.ids import SystemId
from domain.personal_text import Name
from domain.sentences import Sentence, say
from domain.systems import SYSTEMS
from services.accounts.authentication import Principal, name_key
from services.application import Application
from services.commands.creation_keys import campaign_key
from services.http.middleware.authentication import address_of
from services.http.middleware.time_limit import takes_long
from services.http.route_parameters import checked_key
from services.http.screen.shared.forms import Form, FormStruct, Unfit, Wrong
from services.http.screen.shared.page_responses import OK, REFUSED, Page, see_other, show_page
from services.http.screen.shared.page_upload import receive, require_page_upload
from services.http.screen.shared.refusals import REFUSALS, told_refusal
from services.http.screen.shared.systems import ROLES
from services.http.screen.shared.visitor import Visit
from services.transfer.fork_and_import_requests import PEOPLE_MAX, count_people, import_or_preview
from services.transfer.import_campaign import Imported, imported_before
from services.transfer.import_plan import ImportOptions, ImportPreview, alone_in_words, spool

TEXT_MAX = 200


class PersonRow(Struct, frozen=True):
    """A person of the file: their name and role there, and the name of the account that they become; or none.

    `alone` is what is theirs alone, and has no owner here without that account.
    """

    name: str
    role: Sentence | None
    account: str
    alone: Sentence | None


class FileSummary(Struct, frozen=True):
    """The content of a file that was looked at, and its digest; `attested`: this service signed it."""

    name: str
    games: list[str]
    exported_at: str
    events: int
    people: list[PersonRow]
    attested: bool
    digest: str


class BringPage(Page, frozen=True):
    """The form that takes a file; `found` is what is in it, None: it was not looked at yet."""

    template: ClassVar[str] = "bring.html"
    form: Form
    key: str
    bytes_max: int
    found: FileSummary | None = None

    @property
    def title(self) -> Sentence:
        """The page's title."""
        return say("Bring a campaign")


class BringForm(FormStruct, frozen=True):
    """How a file was sent: `do` is `bring`, or it is looked at only; `digest` is of what was looked at before."""

    do: str = "look"
    key: str = ""
    digest: str = ""
    name: Name | None = None

    @classmethod
    def faults(cls) -> dict[str, Sentence]:
        """The fault in a name."""
        return {"name": say("A campaign needs a name, of at most 80 characters.")}


class Upload(Struct, frozen=True):
    """A file that came with a form, and its digest; None: none was chosen."""

    form: Form
    digest: bytes | None

    @property
    def people(self) -> dict[str, str]:
        """The entered pairs: names in the file, and names of accounts."""
        names = ((nth, self.form.value(f"person.{nth}")) for nth in range(PEOPLE_MAX))
        accounts = {name: self.form.value(f"account.{nth}").strip() for nth, name in names if name}
        return {name: account for name, account in accounts.items() if account}


@get("/bring")
async def bring_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """The form, empty."""
    _ = visit.signed_in
    return show_page(visit, BringPage(Form(), str(visit.application.entropy.new_id()), _bytes_max(visit.request)))


async def require_campaign_file(request: Request[Any, Any, Any]) -> None:
    """A file from a form of our own page, not larger than the service takes."""
    require_page_upload(request, _bytes_max(request))


@post("/bring", guards=[takes_long], before_request=require_campaign_file, request_max_body_size=None)
async def bring(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Look at a file, or bring what was looked at, and go there; sent again with its key, it comes once."""
    principal, upload, contents = visit.signed_in, Upload(Form(), None), None
    form = upload.form
    try:
        with visit.application.rates.one_import(principal.account_id), spool() as file:
            await visit.application.rates.import_campaign(principal.account_id, address_of(visit.request))
            upload = await _received(visit.request, file)
            form = upload.form
            try:
                answer = await _brought(visit.application, visit.request, principal, upload, file)
            except (Unfit, *REFUSALS):
                contents = await _looked_at(visit.application, upload, principal, file)
                raise
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        form = form.with_fault("", told_refusal(refusal))
    else:
        if isinstance(answer, Imported):
            return see_other(f"/c/{answer.campaign_id}")
        contents = _contents_of(answer, upload, principal)
    key = form.value("key") or str(visit.application.entropy.new_id())
    page = BringPage(form, key, _bytes_max(visit.request), contents)
    return show_page(visit, page, REFUSED if form.wrong else OK)


async def _looked_at(
    application: Application, upload: Upload, principal: Principal, file: BinaryIO
) -> FileSummary | None:
    """The content of a refused file, if it was looked at before; None: it is another, or none."""
    if upload.digest is None or upload.form.value("digest") != upload.digest.hex():
        return None
    try:
        options = ImportOptions(principal.account_id, {})
        preview = await import_or_preview(application.for_transfer, file, options, dry_run=True)
    except REFUSALS:
        return None
    assert isinstance(preview, ImportPreview)
    return _contents_of(preview, upload, principal)


def _bytes_max(request: Request[Any, Any, Any]) -> int:
    bytes_max: int = request.app.state.import_bytes_max
    return bytes_max


async def _received(request: Request[Any, Any, Any], file: BinaryIO) -> Upload:
    """The form, its file copied as it comes. Raises `HTTPException` for what is no such form."""
    digest = sha256()

    def keep(piece: bytes) -> None:
        digest.update(piece)
        file.write(piece)

    fields = await receive(request, keep, _bytes_max(request))
    return Upload(_fields(fields), digest.digest() if file.tell() else None)


def _fields(fields: Mapping[str, list[str]]) -> Form:
    """The entries beside the file."""
    texts = {name: [text[:TEXT_MAX] for text in values if "\0" not in text] for name, values in fields.items()}
    return Form(texts).without_empty()


async def _brought(
    application: Application, request: Request[Any, Any, Any], principal: Principal, upload: Upload, file: BinaryIO
) -> Imported | ImportPreview:
    """The content of a file, or the campaign that it became. Raises `Unfit` if another was shown."""
    fields, account = BringForm.parse(upload.form), principal.account_id
    if upload.digest is None:
        raise Unfit(Form(upload.form.values, Wrong({"file": say("Choose the file of a campaign.")})))
    options = ImportOptions(account, upload.people, fields.name)
    await count_people(application.rates, address_of(request), principal.name, options.people)
    if fields.do != "bring":
        return await import_or_preview(application.for_transfer, file, options, dry_run=True)
    if fields.digest != upload.digest.hex():
        another = say("This is another file than the one that you looked at: look at it first.")
        raise Unfit(Form(upload.form.values, Wrong({"file": another})))
    key = checked_key(fields.key or None)
    async with application.key_locks.one_of(account, key):
        new = await campaign_key(
            application.log, account, key, "import", upload.digest, options.people, fields.name
        )
        before = await imported_before(application.for_transfer, new)
        return before or await import_or_preview(
            application.for_transfer, file, structs.replace(options, key=new), dry_run=False
        )


def _contents_of(preview: ImportPreview, upload: Upload, principal: Principal) -> FileSummary:
    accounts: Mapping[str, str] = upload.people
    own = name_key(principal.name)
    return FileSummary(
        name=preview.name,
        games=[SYSTEMS[SystemId(system)].title for system in preview.systems],
        exported_at=preview.exported_at,
        events=preview.events,
        people=[
            PersonRow(
                person.name,
                ROLES[person.role] if person.role is not None else None,
                accounts.get(person.name, principal.name if name_key(person.name) == own else ""),
                alone_in_words(person),
            )
            for person in preview.people[:PEOPLE_MAX]
        ],
        attested=preview.attested,
        digest="" if upload.digest is None else upload.digest.hex(),
    )
