"""`…/export`, `/api/campaigns/import` and `…/fork`: campaigns as files, and campaigns made from them."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import OpenAPIFormat, OpenAPIMediaType, OpenAPIType, RequestBody, Schema
from litestar.params import JSONBody, QueryParameter
from litestar.response import Stream
from msgspec import structs

from domain.sentences import say
from services.accounts.authentication import Principal
from services.application import Application
from services.campaign.visible_campaign import PointInTime
from services.commands.creation_keys import CampaignKey, campaign_key
from services.errors import Malformed, campaign_not_found
from services.http.api.caller import Caller, CampaignCaller
from services.http.api.openapi_roles import ACCOUNT, GMS, MEMBERS
from services.http.middleware.authentication import address_of
from services.http.middleware.request_validation import require_known_query
from services.http.middleware.time_limit import takes_long
from services.http.route_parameters import KeyHeader, checked_key
from services.transfer.export_campaign import exported
from services.transfer.fork_and_import_requests import (
    PEOPLE_MAX,
    ForkBody,
    count_people,
    fork_here,
    import_or_preview,
)
from services.transfer.import_campaign import Imported, imported_before
from services.transfer.import_plan import ImportOptions, ImportPreview, spool

NDJSON = "application/x-ndjson"
PEOPLE_CHARACTERS_MAX = 4_000
"""A character may take twelve in a URL, and one of 64 KiB is no valid request."""

UptoQuery = Annotated[
    int | None, QueryParameter(name="upto", ge=1, le=2**53, description="Only up to this seq, as it was then.")
]
NameQuery = Annotated[
    str | None,
    QueryParameter(
        name="name", min_length=1, max_length=80, pattern=r"\S", description="The name of the new campaign."
    ),
]
DryRunQuery = Annotated[bool, QueryParameter(name="dry_run", description="Only look at the file.")]
PeopleQuery = Annotated[
    str | None,
    QueryParameter(
        name="people",
        max_length=PEOPLE_CHARACTERS_MAX,
        description='The people in the file, as JSON: {"name in the file": "name of an account here"}.',
    ),
]


@dataclass
class FromFile(ACCOUNT):  # type: ignore[misc, valid-type]
    """An operation whose body is an export."""

    def __post_init__(self) -> None:
        """Remove the body that Litestar did not find."""
        schema = Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY)
        content = {"application/octet-stream": OpenAPIMediaType(schema=schema)}
        self.request_body = RequestBody(content=content, required=True, description="The file, plain or gzipped.")


class ExportController(Controller):
    """Campaigns as files, and forks."""

    path = "/api/campaigns/{campaign_id:str}"
    tags = ("exchange",)

    @get(
        "/export",
        summary="Export a campaign",
        operation_class=MEMBERS,
        guards=[takes_long],
        media_type=NDJSON,
        responses={
            200: ResponseSpec(
                str, description="One JSON object per line", media_type=NDJSON, generate_examples=False
            )
        },
    )
    async def export(self, asker: NamedDependency[CampaignCaller], upto: UptoQuery = None) -> Stream:
        """Every event with all that its hash covers: it can be verified offline (`fieldlog verify FILE`).

        Events that you may not see are included as their hash only. A GM's export can be imported again. Refuses
        `moment_not_reached`.
        """
        at = None if upto is None else PointInTime(seq=upto)
        campaign = await asker.application.campaigns.see(asker.campaign_id, asker.account, at)
        headers = {"Content-Disposition": f'attachment; filename="{campaign.campaign_id}.ndjson"'}
        return Stream(exported(asker.application.for_transfer, campaign), media_type=NDJSON, headers=headers)

    @post("/fork", summary="A new campaign from here, to try something", operation_class=GMS, guards=[takes_long])
    async def fork(
        self, asker: NamedDependency[CampaignCaller], data: JSONBody[ForkBody], key: KeyHeader = None
    ) -> Imported:
        """Create a campaign that begins as this one stood at a moment, with new dice; you are its only member.

        Actions undone before that moment stay undone. Refuses `gm_only`, `moment_not_reached`, for a date
        `date_impossible` and `date_before_start`, and with 429 `import_under_way` and `too_many_imports`.
        """
        source, key = asker.campaign_id, checked_key(key)
        return await fork_here(
            asker.application.for_transfer,
            asker.account,
            address_of(asker.request),
            source,
            data,
            key,
        )


class ImportController(Controller):
    """Imports of campaigns from files."""

    path = "/api/campaigns/import"
    tags = ("exchange",)

    @post(
        "",
        summary="Import a campaign",
        operation_class=FromFile,
        guards=[takes_long],
        before_request=require_known_query,
        request_max_body_size=None,
        responses={
            200: ResponseSpec(
                ImportPreview,
                description="The people and events that would come in (dry_run)",
                generate_examples=False,
            ),
            201: ResponseSpec(Imported, description="The new campaign", generate_examples=False),
        },
    )
    async def bring(
        self,
        caller: NamedDependency[Caller],
        dry_run: DryRunQuery = False,
        name: NameQuery = None,
        people: PeopleQuery = None,
        key: KeyHeader = None,
    ) -> Response[Imported | ImportPreview]:
        """Create a campaign with the events of an export, marked as imported; you are its GM and only member.

        The whole file is verified and played through before anything is stored. Its people become accounts here as
        `people` says, or names without account. Dice keep their faces, and prove nothing here. 422 with a code
        says what is wrong with the file, and in which line or event. An account imports one file at a time, and so
        many in an hour; the latter also limits other people's accounts in `people`: 429 `import_under_way` and
        `too_many_imports`.
        """
        account, bytes_max = caller.account, caller.request.app.state.import_bytes_max
        options = ImportOptions(account, _people_in(people), name)
        key = None if dry_run else checked_key(key)  # a dry run may be repeated without a key

        async def keyed(content: bytes) -> CampaignKey | None:
            return await campaign_key(
                caller.application.log, account, key, "import", content, options.people, name
            )

        async with caller.application.key_locks.one_of(account, key):
            key_record = await campaign_key(caller.application.log, account, key)
            if key_record is not None and await key_record.answer(caller.application.log) is not None:
                content = await _received(caller.request, lambda _: None, bytes_max)  # only for its hash
                if (
                    before := await imported_before(caller.application.for_transfer, await keyed(content))
                ) is None:
                    raise campaign_not_found()
                return Response(before, status_code=201)
            with caller.application.rates.one_import(account), spool() as file:
                await count_import(caller.application, caller.request, caller.principal, options.people)
                content = await _received(caller.request, file.write, bytes_max)
                options = structs.replace(options, key=await keyed(content))
                outcome = await import_or_preview(caller.application.for_transfer, file, options, dry_run=dry_run)
                return Response(outcome, status_code=200 if dry_run else 201)


async def count_import(
    application: Application, request: Request[Any, Any, Any], principal: Principal, people: dict[str, str] | None
) -> None:
    """Count an import, and other people's accounts that it asks for. Raises `RateLimitExceeded`."""
    await application.rates.import_campaign(principal.account_id, address_of(request))
    await count_people(application.rates, address_of(request), principal.name, people)


def _people_in(text: str | None) -> dict[str, str]:
    try:
        people = {} if text is None else msgspec.json.decode(text, type=dict[str, str])
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        example = '{"Ana": "Noor"}'
        raise Malformed(say("people is a JSON object of names: {example}.", example=example)) from None
    if len(people) > PEOPLE_MAX:
        raise Malformed(say("people names at most {most}.", most=PEOPLE_MAX))
    if any("\0" in name for name in people.values()):
        raise Malformed("No name holds a NUL character.")
    return people


async def _received(request: Request[Any, Any, Any], keep: Callable[[bytes], object], bytes_max: int) -> bytes:
    """Pass a body to `keep` piece by piece; returns its SHA-256. Raises `RequestEntityTooLarge`."""
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length[:20]) > bytes_max:
        raise RequestEntityTooLarge
    received, digest = 0, sha256()
    async for piece in request.stream():
        received += len(piece)
        if received > bytes_max:
            raise RequestEntityTooLarge
        digest.update(piece)
        keep(piece)
    return digest.digest()
