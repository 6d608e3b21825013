"""`…/actions`: act, and read what was done."""

from typing import Annotated
from uuid import UUID

from litestar import Controller, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.enums import MediaType
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody, QueryParameter
from msgspec import Raw, Struct

from domain.campaign.request import ActRequest
from domain.ids import AccountId
from projections.campaign.chronicle import ActionEntry
from projections.campaign.full_view import Changes
from services.accounts.authentication import Principal
from services.api.openapi_roles import MEMBERS, PLAYERS, THEMSELVES
from services.api.paths import LIMIT_DEFAULT, AfterQuery, AtQuery, LimitQuery, action_of, campaign_of, moment_of
from services.api.problems import Malformed
from services.application import Application
from services.commands.response import Answer
from services.commands.submit import submit_command
from services.privacy.erase_texts import TextsGone, erase_action
from services.queries.chronicle import ActionsPage, EventsPage, Filters, actions_page, events_page, one_action
from services.queries.diff import changes_of

KEY_LENGTH_MAX = 200

KeyHeader = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key", description="Up to 200 characters; makes sending this again harmless."
    ),
]
MatchHeader = Annotated[
    str | None,
    HeaderParameter(
        name="If-Match", description='The seq you decided on, in quotes: "12". Refused if it moved on.'
    ),
]


SinceQuery = Annotated[
    str | None,
    QueryParameter(name="since", description="Only what came after: a seq, or an RFC 3339 moment.", max_length=40),
]


class ActionView(Struct, frozen=True):
    """One action in words, the events it made, and what it changed then, field by field.

    `changes` is null for an action that its reader may not see.
    """

    as_of: int
    action: ActionEntry
    events: list[Raw]
    changes: Changes | None


class ActionsController(Controller):
    """What people do in a campaign, and what they did."""

    path = "/api/campaigns/{campaign_id:str}"
    tags = ("actions",)

    @post(
        "/actions",
        summary="Act",
        responses=None,
        operation_class=PLAYERS,
    )
    async def act(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        data: JSONBody[ActRequest],
        key: KeyHeader = None,
        if_match: MatchHeader = None,
    ) -> Response[Answer]:
        """Do something: 201 with what came of it.

        422 where a rule says no, 403 where it is not yours to do, 409 for a stale `If-Match` or a key that
        came with another request before.
        """
        campaign = campaign_of(campaign_id)
        await application.rates.act(campaign, principal.account_id)
        reply = await submit_command(
            application,
            campaign,
            principal.account_id,
            data,
            key=checked_key(key),
            if_match=seq_of(if_match),
        )
        return Response(reply, status_code=201, media_type=MediaType.JSON)  # type: ignore[arg-type]

    @get("/actions", summary="The chronicle", operation_class=MEMBERS)
    async def actions(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        after: AfterQuery = 0,
        limit: LimitQuery = LIMIT_DEFAULT,
        character: FromQuery[str | None] = None,
        actor: FromQuery[UUID | None] = None,
        type: FromQuery[str | None] = None,  # noqa: A002 — the name on the wire
        text: FromQuery[str | None] = None,
        since: SinceQuery = None,
        at: AtQuery = None,
    ) -> ActionsPage:
        """Every action in words, oldest first, filtered by person, character, kind, text or date.

        What was undone stays, with the action that undid it (`undone_in`), and so does what was revealed, with the
        one that revealed it (`revealed_in`); `at` leaves out what came later.
        """
        seen = await application.reading.see(campaign_of(campaign_id), principal.account_id, moment_of(at))
        start = moment_of(since)
        if start is not None:
            after = max(after, await application.reading.seq_of(seen.campaign_id, start))
        filters = Filters(character, AccountId(actor) if actor else None, type, text)
        return await actions_page(application.log, application.views, seen, after, limit, filters)

    @get("/actions/{action_id:str}", summary="One action", operation_class=MEMBERS)
    async def action(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        action_id: FromPath[str],
        at: AtQuery = None,
    ) -> ActionView:
        """One action in words and as events. Refuses `action_not_found`."""
        seen = await application.reading.see(campaign_of(campaign_id), principal.account_id, moment_of(at))
        entry, events = await one_action(application.log, seen, action_of(action_id))
        changed = await changes_of(application, seen, entry) if entry.type is not None else None
        return ActionView(as_of=seen.seq, action=entry, events=events, changes=changed)

    @delete(
        "/actions/{action_id:str}/texts", summary="Erase the words", operation_class=THEMSELVES, status_code=200
    )
    async def erase_texts(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        action_id: FromPath[str],
        key: KeyHeader = None,
    ) -> TextsGone:
        """Erase what was written in one's own words: notes, reasons, labels, narration. There is no way back.

        From then on everybody reads "erased", at every moment of the past too; the chain still verifies. Members
        erase what they wrote, GMs anything. What was said first in the action goes wherever else it is told again:
        in what enters play, and in adopted sheets. Erasing again finds nothing left. Refuses `action_not_found`
        and `not_your_words`.
        """
        return await erase_action(
            application, campaign_of(campaign_id), principal.account_id, action_of(action_id), checked_key(key)
        )

    @get("/events", summary="The events themselves", operation_class=MEMBERS)
    async def events(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        after: AfterQuery = 0,
        limit: LimitQuery = LIMIT_DEFAULT,
        at: AtQuery = None,
    ) -> EventsPage:
        """Every event with its payload and its place in the log, oldest first."""
        seen = await application.reading.see(campaign_of(campaign_id), principal.account_id, moment_of(at))
        return await events_page(application.log, seen, after, limit)


def checked_key(key: str | None) -> str | None:
    """An `Idempotency-Key` header, if there was one. Raises `Malformed`."""
    if key is not None and not 1 <= len(key) <= KEY_LENGTH_MAX:
        raise Malformed(f"An Idempotency-Key has 1 to {KEY_LENGTH_MAX} characters.")
    return key


def seq_of(if_match: str | None) -> int | None:
    """The seq in an `If-Match` header: a number in quotes, or bare."""
    if if_match is None:
        return None
    digits = if_match.strip().removeprefix('"').removesuffix('"')
    if not digits.isascii() or not digits.isdigit() or len(digits) > 18:  # noqa: PLR2004 — fits 64 bits
        raise Malformed('If-Match holds the seq you decided on, in quotes: "12".')
    return int(digits)
