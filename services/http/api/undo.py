"""`…/actions/{action}/undo`, `redo` and `undo-request`: undo any earlier action."""

from functools import partial
from typing import Annotated, Any

from litestar import Controller, Response, post
from litestar.di import NamedDependency
from litestar.enums import MediaType
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from domain.campaign.messages.undo import RedoAction, UndoAction, UndoSince
from domain.personal_text import FreeText
from domain.rejection import Rejection
from services.commands.response import Answer
from services.history.undo import (
    FINGERPRINT_DIGITS,
    HistoryRequest,
    Preview,
    decline_undo,
    request_undo,
    undo_or_redo,
)
from services.history.undo_preview import preview
from services.http.api.caller import CampaignCaller
from services.http.api.openapi_roles import GMS, PLAYERS
from services.http.middleware.read_queue import as_read
from services.http.middleware.time_limit import takes_long
from services.http.progress_stream import progress_stream, wants_progress
from services.http.route_parameters import KeyHeader, checked_key
from services.reading.live_feed import Feeds
from services.reading.parameters import action_of
from services.runtime.progress import SearchProgress

TARGETS_MAX = 200
"""Actions that one undo may name."""


class UndoBody(Struct, frozen=True, forbid_unknown_fields=True):
    """How to undo or redo.

    `cascade`: dependent actions are undone too. `dry_run`: returns a preview only. `confirm` is the number of
    dependents, required if more than twenty are undone. `shown` is what the preview gave, in place of `confirm`:
    where other actions would go, come back or come out otherwise by now, nothing is done (409 `confirm_cascade`).
    """

    reason: FreeText | None = None
    cascade: bool = False
    dry_run: bool = False
    confirm: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    shown: Annotated[str, Meta(max_length=FINGERPRINT_DIGITS)] | None = None


class UndoSinceBody(UndoBody, frozen=True, forbid_unknown_fields=True):
    """How to undo several actions as one: all that people did `after` a seq, or the actions named.

    The rest as for one; with `after`, nothing needs a `cascade`. `confirm` is the number of actions that go
    because they are asked for or depend on others.
    """

    after: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    action_ids: Annotated[list[str], Meta(max_length=TARGETS_MAX)] = []


class WhyBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Why, in your own words."""

    reason: FreeText | None = None


_ANSWERS = {
    200: ResponseSpec(Preview, description="Its effects, not committed (dry_run)", generate_examples=False),
    201: ResponseSpec(Answer, description="Its effects", generate_examples=False),
}


class UndoController(Controller):
    """Undo and redo. Undone actions stay in the log and do not count until they are redone."""

    path = "/api/campaigns/{campaign_id:str}/actions/{action_id:str}"
    tags = ("undo",)

    @post("/undo", summary="Undo an action", operation_class=PLAYERS, responses=_ANSWERS, guards=[takes_long])
    async def undo(
        self,
        asker: NamedDependency[CampaignCaller],
        action_id: FromPath[str],
        data: JSONBody[UndoBody],
        feeds: NamedDependency[Feeds],
        key: KeyHeader = None,
    ) -> Response[Answer | Preview]:
        """Undo an action and its consequences, however old; undoing an undo is a redo.

        409 `has_dependents` lists the actions that depend on it: `cascade` undoes them too, `dry_run` shows what
        would change. 409 `too_many_consequences` where that is more than one undo may change: a fork from before
        the action does without it. GMs undo any action; players their own last one, if the service rolled no dice
        for it and no action depends on it.

        With `Accept: text/event-stream` the answer comes as server-sent events: every second `event: progress`
        with how many events are `searched`, `of` how many, and at the end `event: answer` or `event: problem` with
        what is the body otherwise. The same holds for a redo.
        """
        wish = UndoAction(action_of(action_id), data.reason, data.cascade, data.confirm)
        return await _answered(asker, feeds, wish, data, checked_key(key))

    @post(
        "/redo", summary="Redo an undone action", operation_class=PLAYERS, responses=_ANSWERS, guards=[takes_long]
    )
    async def redo(
        self,
        asker: NamedDependency[CampaignCaller],
        action_id: FromPath[str],
        data: JSONBody[UndoBody],
        feeds: NamedDependency[Feeds],
        key: KeyHeader = None,
    ) -> Response[Answer | Preview]:
        """Make an undone action count again, at its old place, with all actions that were undone together with it.

        Players redo what they undid themselves.

        409 `redo_refused` if it is no longer possible; `has_dependents` if a later action would then be
        impossible.
        """
        wish = RedoAction(action_of(action_id), data.reason, data.cascade, data.confirm)
        return await _answered(asker, feeds, wish, data, checked_key(key))

    @post("/undo-request", summary="Ask to undo an action", operation_class=PLAYERS, responses=None)
    async def request(
        self, asker: NamedDependency[CampaignCaller], action_id: FromPath[str], data: JSONBody[WhyBody]
    ) -> Response[Answer]:
        """Ask the GMs to undo an action; a GM grants the request by undoing it, or declines."""
        campaign, account = asker.campaign_id, asker.account
        await asker.application.rates.act(campaign, account)
        reply = await request_undo(asker.application, campaign, account, action_of(action_id), data.reason)
        return _acted(reply)

    @post("/undo-request/decline", summary="Leave an action as it is", operation_class=PLAYERS, responses=None)
    async def decline(
        self, asker: NamedDependency[CampaignCaller], action_id: FromPath[str], data: JSONBody[WhyBody]
    ) -> Response[Answer]:
        """Decline an undo request; its author may withdraw it so. Refuses `no_undo_request`."""
        campaign, account = asker.campaign_id, asker.account
        await asker.application.rates.act(campaign, account)
        reply = await decline_undo(asker.application, campaign, account, action_of(action_id), data.reason)
        return _acted(reply)


@post(
    "/api/campaigns/{campaign_id:str}/undo_since",
    summary="Undo all since a moment",
    operation_class=GMS,
    responses=_ANSWERS,
    guards=[takes_long],
    tags=["undo"],
)
async def undo_since(
    asker: NamedDependency[CampaignCaller],
    data: JSONBody[UndoSinceBody],
    feeds: NamedDependency[Feeds],
    key: KeyHeader = None,
) -> Response[Answer | Preview]:
    """Undo all that people did after a seq, or the actions that are named, as one action that one redo takes back.

    Membership, roles, reveals, earlier undos and things that have entered play stay: a preview lists these actions
    (`stays`). Actions that were undone before stay undone. The rest as for the undo of one action.

    Refuses `gm_only`, `nothing_to_undo`, `moment_not_reached`, and of a named action what its undo would.
    """
    if (data.after is None) is (not data.action_ids):
        raise Rejection("one_of_both", "Say after which seq, or which actions, but not both.")
    action_ids = [action_of(action_id) for action_id in data.action_ids]
    wish = UndoSince(data.after, action_ids, data.reason, data.cascade, data.confirm)
    return await _answered(asker, feeds, wish, data, checked_key(key))


async def _answered(
    asker: CampaignCaller, feeds: Feeds, wish: HistoryRequest, data: UndoBody, key: str | None
) -> Response[Answer | Preview]:
    """The answer to an undo or redo, or its preview; with its progress where that is asked for."""
    application, campaign_id, account = asker.application, asker.campaign_id, asker.account

    async def work(progress: SearchProgress) -> Response[Any]:
        await application.rates.act(campaign_id, account)
        if data.dry_run:
            look = partial(preview, application, campaign_id, account, wish, progress)
            return Response(await as_read(asker.request.scope, account, look, is_long=True), status_code=200)
        return _acted(
            await undo_or_redo(
                application, campaign_id, account, wish, key, progress, expected_fingerprint=data.shown
            )
        )

    if wants_progress(asker.request):
        return progress_stream(asker.request, work, feeds.pace.progress_seconds)  # type: ignore[return-value]
    return await work(SearchProgress())


def _acted(reply: bytes) -> Response[Answer]:
    return Response(reply, status_code=201, media_type=MediaType.JSON)  # type: ignore[arg-type]
