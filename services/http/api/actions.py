"""`…/actions`: submit commands, and read actions and events."""

from functools import partial
from typing import Annotated
from uuid import UUID

from litestar import Controller, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.enums import MediaType
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody, QueryParameter
from msgspec import UNSET, Struct, structs

from domain.campaign.command_request import ActionBody, ActRequest, Together
from domain.campaign.commands import RevealAction
from domain.campaign.pending_choices import require_open
from domain.ids import AccountId, CampaignId
from domain.rejection import Rejection
from domain.sentences import say
from projections.campaign.chronicle import ActionEntry, listed
from projections.campaign.full_view import Changes
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.response import Answer
from services.commands.worded_answer import with_words
from services.errors import BadQuery, Malformed
from services.history.erase_texts import TextsGone, erase_action
from services.history.reveal import preview_reveal
from services.history.submit import submit
from services.http.api.caller import CampaignCaller
from services.http.api.openapi_roles import MEMBERS, PLAYERS, THEMSELVES
from services.http.middleware.read_queue import as_read
from services.http.middleware.time_limit import takes_long_by_words
from services.http.route_parameters import AfterQuery, BeforeQuery, KeyHeader, LimitQuery, checked_key, checked_seq
from services.reading.chronicle import ActionsPage, EventsPage, Filters, actions_page, events_page, one_action
from services.reading.diff import changes_of
from services.reading.dry_run import DryRun, dry_refusal
from services.reading.names_in_answers import with_names
from services.reading.numbered_events import EventJson
from services.reading.parameters import LIMIT_DEFAULT, action_of, moment_of, require_kind, require_one_direction

DryRunQuery = Annotated[
    bool, QueryParameter(description="Only find out what would happen; nothing is stored and no die falls.")
]

WordsQuery = Annotated[
    bool,
    QueryParameter(
        description="Add the dice in the one shape of the chronicle, and the names of the ids in the answer."
    ),
]

MatchHeader = Annotated[
    str | None,
    HeaderParameter(
        name="If-Match", description='The seq you decided on, in quotes: "12". Refused if it moved on.'
    ),
]


HiddenQuery = Annotated[
    bool,
    QueryParameter(name="hidden", description="Only what not everybody can read by now."),
]

SinceQuery = Annotated[
    str | None,
    QueryParameter(name="since", description="Only what came after a moment, as of `at`.", max_length=40),
]


class ActionView(Struct, frozen=True):
    """One action in words, its events, and the fields that it changed at the time.

    `changes` is null for an action that the reader may not see. `names` are those of the ids in it.
    """

    as_of: int
    action: ActionEntry
    events: list[EventJson]
    changes: Changes | None
    names: dict[str, str] = {}


class ActionsController(Controller):
    """Commands of a campaign, and the resulting actions."""

    path = "/api/campaigns/{campaign_id:str}"
    tags = ("actions",)

    @post(
        "/actions",
        summary="Act",
        responses={200: ResponseSpec(DryRun, description="Its effects, not committed", generate_examples=False)},
        operation_class=PLAYERS,
    )
    async def act(
        self,
        asker: NamedDependency[CampaignCaller],
        data: JSONBody[ActionBody],
        key: KeyHeader = None,
        if_match: MatchHeader = None,
        dry_run: DryRunQuery = False,
        words: WordsQuery = False,
    ) -> Response[Answer]:
        """Submit a command, or several `commands` in its place. 201 with the resulting events.

        Several commands are one action with one undo: each is decided on the campaign after those before it, and
        if one is refused, none is given; `command_number` in the refusal says which, counted from 1. Dice of the
        table go to the commands in turn. The service rolls only after everything else is certain: behind a command
        that rolls, only further free rolls may follow (`rolls_come_last`). Refuses `not_together` for commands
        about other actions and for what cannot be undone, and `due_before_the_rest` where time goes on in between.

        Names may stand for ids, and for a choice the word that is shown of it, in any language: the stored
        command holds ids and wire values. Refuses `ambiguous_name` and `ambiguous_word` with what may be meant.
        422 where a rule refuses the command, 403 where your role does, 409 for a stale `If-Match` or a key that
        came with another request before. A `choice` says which of those that are waited for is answered: 409
        `choice_made` once it was answered, so that an answer that is sent twice, or late, answers no other. With
        `dry_run` nothing is stored, and the answer is 200 with what would happen as far as you know the campaign:
        a `DryRun`, also where the command would be refused. With `words` the answer has `rolls` and `names`, too,
        also where a key is repeated. Without it has neither, because it is kept for a repeated key as it is, and
        every roll waits for it. A `DryRun` has its `names` in any case, and counts as an action towards how many
        you may ask for in a minute.
        """
        campaign, request = asker.campaign_id, request_of(data)
        count = len(request.command.commands) if isinstance(request.command, Together) else 1
        await asker.application.rates.act(campaign, asker.account, count)
        if dry_run:
            if data.dice is not None:
                raise BadQuery("dice_in_dry_run", "Nothing is rolled in a dry run: leave the dice out.")
            look = partial(_tried, asker.application, campaign, asker.account, request)
            tried = await as_read(asker.request.scope, asker.account, look)
            return Response(tried, status_code=200, media_type=MediaType.JSON)  # type: ignore[arg-type]
        reply = await submit(
            asker.application,
            campaign,
            asker.account,
            request,
            key=checked_key(key),
            if_match=checked_seq(if_match),
        )
        if words:
            reply = await with_words(asker.application, campaign, asker.account, reply)
        return Response(reply, status_code=201, media_type=MediaType.JSON)  # type: ignore[arg-type]

    @get("/actions", summary="The chronicle", operation_class=MEMBERS, guards=[takes_long_by_words])
    async def actions(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        after: AfterQuery = None,
        before: BeforeQuery = None,
        limit: LimitQuery = LIMIT_DEFAULT,
        character: FromQuery[str | None] = None,
        actor: FromQuery[UUID | None] = None,
        type: FromQuery[str | None] = None,  # noqa: A002 — the name on the wire
        text: FromQuery[str | None] = None,
        since: SinceQuery = None,
        only_hidden: HiddenQuery = False,
    ) -> ActionsPage:
        """Every action in words, filtered by who, whom, kind, words or date; oldest first unless `before`.

        Undone actions stay, with the action that undid them (`undone_in`), and so do revealed ones, with the one
        that revealed them (`revealed_in`); `at` leaves out later actions. Refuses `unknown_value` for a `type`
        that is no command's or event's.
        """
        require_one_direction(after, before)
        require_kind(type)
        start, bound = moment_of(since), after or 0
        if start is not None:
            bound = max(bound, await application.campaigns.seq_of(visible, start))
        filters = Filters(character, AccountId(actor) if actor else None, type, text, only_hidden)
        page = await actions_page(application.log, application.views, visible, bound, limit, filters, before)
        return with_names(structs.replace(page, actions=[*map(listed, page.actions)]), visible)

    @get("/actions/{action_id:str}", summary="One action", operation_class=MEMBERS)
    async def action(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        action_id: FromPath[str],
    ) -> ActionView:
        """One action in words and as events. Refuses `action_not_found`."""
        entry, events = await one_action(application.log, visible, action_of(action_id))
        changes = await changes_of(application, visible, entry) if entry.type is not None else None
        return with_names(ActionView(as_of=visible.seq, action=entry, events=events, changes=changes), visible)

    @delete(
        "/actions/{action_id:str}/texts", summary="Erase the words", operation_class=THEMSELVES, status_code=200
    )
    async def erase_texts(
        self, asker: NamedDependency[CampaignCaller], action_id: FromPath[str], key: KeyHeader = None
    ) -> TextsGone:
        """Erase the personal texts of an action: notes, reasons, labels, narration. This cannot be undone.

        From then on everyone reads "erased", at every moment of the past too; the chain still verifies. Members
        erase their own texts, GMs any. Copies of texts that the action contained first are erased as well: in
        descriptions of things that enter play, and in adopted sheets. A repeated erasure finds none left. Refuses
        `action_not_found` and `not_your_words`.
        """
        return await erase_action(
            asker.application.for_accounts,
            asker.campaign_id,
            asker.account,
            action_of(action_id),
            checked_key(key),
        )

    @get("/events", summary="The events themselves", operation_class=MEMBERS)
    async def events(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        after: AfterQuery = None,
        before: BeforeQuery = None,
        limit: LimitQuery = LIMIT_DEFAULT,
    ) -> EventsPage:
        """Every event with its payload and its place in the log; oldest first unless `before`."""
        require_one_direction(after, before)
        return with_names(await events_page(application.log, visible, after or 0, limit, before), visible)


async def _tried(
    application: Application, campaign_id: CampaignId, account: AccountId, request: ActRequest
) -> DryRun:
    """The effects of a request, or why it would be refused."""
    campaign = await application.campaigns.see(campaign_id, account)
    if request.choice is not None:
        try:
            require_open(campaign.state, request.choice)
        except Rejection as refusal:
            return dry_refusal(campaign, refusal)
    if not isinstance(request.command, RevealAction):
        return await application.possible.dry_run(campaign, request.command)
    try:
        return await preview_reveal(application, campaign, request)
    except Rejection as refusal:
        return dry_refusal(campaign, refusal)


def request_of(body: ActionBody) -> ActRequest:
    """The request in a body; one command in a list is the same as one outside of it. Raises `Malformed`."""
    if (body.command is UNSET) is (body.commands is UNSET):
        raise Malformed(say("Send either one command, or several as commands."))
    commands = [body.command] if body.commands is UNSET else body.commands
    command = commands[0] if len(commands) == 1 else Together(commands)
    return ActRequest(command, body.dice, body.note, body.visibility, body.choice)
