"""`/c/{campaign}/do`: a member's possible commands, and the form of each."""

from typing import Any, ClassVar
from urllib.parse import parse_qsl, quote, urlencode

import msgspec
from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct, structs

from domain.campaign.commands import RollDice
from domain.campaign.play.characters import characters
from domain.ids import ActionId
from domain.rejection import Rejection
from domain.sentences import Sentence, say
from projections.command_forms import AwaitedCommand
from services.commands.submit import done_before
from services.errors import unknown_value
from services.history.submit import submit
from services.http.middleware.read_queue import as_read
from services.http.problems import STATUS_BY_KIND
from services.http.route_parameters import KeyHeader, checked_key
from services.http.screen.commands.command_form import rearranged
from services.http.screen.commands.command_list import DECLINE_UNDO, Acting, CommandList, command_list
from services.http.screen.commands.command_page import CommandEntry
from services.http.screen.commands.form_entries import ENTRIES_MAX, FormEntries, expand, sent_entries
from services.http.screen.commands.play_table import PlayTable, play_table
from services.http.screen.shared.campaign_page import CampaignPage, read_paths
from services.http.screen.shared.chronicle_lines import OwnAction, done_in, happened_of
from services.http.screen.shared.irreversible_steps import OF_THE_CAMPAIGN
from services.http.screen.shared.page_responses import see_other, show_page
from services.http.screen.shared.visitor import Visit
from services.reading.chronicle import Filters, actions_page

READ_ONLY = [
    f"/c/{{campaign:str}}/as/{{member:str}}/{page}"
    for page in (
        "do/{command:str}",
        "build/{system:str}",
        "files",
        *OF_THE_CAMPAIGN,
        "members/{account:str}/{step:str}",
    )
]
"""Where a member does something that a GM can see through their eyes, but not do."""
ACT = "act"
KEEP = "keep"
"""The button that keeps the dice of a free roll by name."""
ROLL = str(RollDice.__struct_config__.tag)
MALFORMED = 400
FORBIDDEN = 403


class CommandsPage(CampaignPage, frozen=True):
    """The possible commands. `happened` is the action that the reader just did, or did before."""

    template: ClassVar[str] = "do.html"
    section: ClassVar[str] = "do"
    can: CommandList
    happened: OwnAction | None

    @property
    def title(self) -> Sentence:
        """The question that the page answers."""
        return say("What you can do")


class NothingToDo(CampaignPage, frozen=True):
    """The notice in place of a form where a GM reads as a member."""

    template: ClassVar[str] = "nothing_to_do.html"
    section: ClassVar[str] = "do"

    @property
    def title(self) -> Sentence:
        """The page's title."""
        return say("Only looking")


@get(read_paths("/do"))
async def commands_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Show the possible commands: with `?character=` for that one, with `?all` also the others, and why not.

    Refuses `unknown_value`.
    """
    table = await play_table(visit)
    table = structs.replace(table, campaign=table.campaign.standing_still())
    query = dict(_query(visit.request))
    character = query.get("character") or None
    # Any text would cost: the possible commands are kept for each that comes.
    if character and character not in [str(person.character) for person in characters(table.campaign.state)]:
        raise unknown_value("character", character)
    page = await list_page(table, character, "all" in query, query.get("done", ""))
    return show_page(visit, page)


@get("/c/{campaign:str}/do/{command:str}")
async def command_page(visit: NamedDependency[Visit], command: FromPath[str]) -> Response[bytes]:
    """The form of a command, with what the query says filled in."""
    table = await play_table(visit)
    await visit.application.rates.act(table.campaign.campaign_id, table.campaign.account)
    page = await CommandEntry(table, table.kind(command), _query(visit.request), is_sent=False).page()
    return show_page(visit, page)


@get(READ_ONLY)
async def nothing_to_do(visit: NamedDependency[Visit]) -> Response[bytes]:
    """That who reads as another member cannot act as them; the way back leads to the form of their own."""
    table = await play_table(visit)
    return show_page(visit, NothingToDo(**table.frame), FORBIDDEN)


@post("/c/{campaign:str}/do/{command:str}")
async def command_sent(
    visit: NamedDependency[Visit], command: FromPath[str], key: KeyHeader = None
) -> Response[bytes]:
    """Give the command and go back to where its form was linked; or show the form again as it is filled in.

    A form that was sent before does nothing again, and is told so. A script that sends one again by itself, with a
    key of its own, is told what it did.
    """
    table = await play_table(visit)
    await visit.application.rates.act(table.campaign.campaign_id, table.campaign.account)
    entries = expand(sent_entries(await visit.request.body()))
    do = FormEntries(entries).last("do")
    form = CommandEntry(table, table.kind(command), rearranged(entries, do), is_sent=True)
    if do == KEEP and form.command == ROLL:
        await form.keep()
    if do.partition(":")[0] != ACT:
        return show_page(visit, await as_read(visit.request.scope, table.campaign.account, form.page))
    act = form.request()
    if act is None:
        return show_page(visit, await form.page(), MALFORMED)
    try:
        once = checked_key(key or form.inputs.last("key"))
        before = await done_before(
            visit.application, table.campaign.campaign_id, table.campaign.account, None if key else once
        )
        answer = await submit(visit.application, table.campaign.campaign_id, table.campaign.account, act, key=once)
    except Rejection as refusal:
        again = await play_table(visit)
        status = next(status for kind, status in STATUS_BY_KIND if isinstance(refusal, kind))
        page = await CommandEntry(again, again.kind(command), form.entries, is_sent=True).page(refusal)
        return show_page(visit, page, status)
    return see_other(path_after(form.back, answer, is_before=before is not None))


async def list_page(
    table: PlayTable, character: str | None = None, with_refused: bool = False, last_action: str = ""
) -> CommandsPage:
    """The page of what can be done; `last_action` is what the address says that the reader just did."""
    here = f"{table.path}/do" + (f"?character={quote(character, safe='')}" if character else "")
    can = await can_do(table, here, character, with_refused=with_refused)
    return CommandsPage(
        **table.frame, can=can, happened=await happened_of(table.application, table.campaign, last_action)
    )


async def can_do(
    table: PlayTable, back: str, character: str | None = None, *, with_refused: bool = False
) -> CommandList:
    """The reader's possible commands, as the page at `back` shows them; forms lead back there."""
    query = {"character": character, "all": "yes"} if character else {"all": "yes"}
    view = await table.application.possible.all(table.campaign, character, choices=False)
    return command_list(
        structs.replace(view, waiting=[await _in_full(table, choice) for choice in view.waiting]),
        await table.application.possible.answers(table.campaign),
        table.campaign.account,
        table.ways(table.back(back)),
        _acting(table, character),
        character=character,
        refused_path=None if with_refused else f"{table.path}/do?{urlencode(query)}",
        is_gm=table.campaign.role == "gm",
    )


async def _in_full(table: PlayTable, choice: AwaitedCommand) -> AwaitedCommand:
    """Something that is waited for; a request for an undo as the chronicle tells it, with action and reason."""
    if not choice.since_seq or all(answer["type"] != DECLINE_UNDO for answer in choice.answers):
        return choice
    application, campaign = table.application, table.campaign
    before = max(0, choice.since_seq - 1)
    page = await actions_page(application.log, application.views, campaign, before, 1, Filters())
    sentences = [sentence for entry in page.actions for sentence in entry.summary]
    return structs.replace(choice, sentence=" ".join(sentences) or choice.sentence)


class _ActionAnswer(Struct, frozen=True):
    """The part of an answer that the next page tells of."""

    action_id: ActionId
    events: list[msgspec.Raw]
    repeated: bool = False


def _query(request: Request[Any, Any, Any]) -> list[tuple[str, str]]:
    return parse_qsl(request.url.query, keep_blank_values=True)[:ENTRIES_MAX]


def path_after(path: str, answer: bytes, *, is_before: bool) -> str:
    """The path of a page that is read after a command was given, and that tells of it.

    `is_before`: its form was sent before, and that is what is told of.
    """
    done = msgspec.json.decode(answer, type=_ActionAnswer)
    return path_of_done(path, done.action_id if done.events or done.repeated else None, is_before=is_before)


def path_of_done(path: str, action: ActionId | None, *, is_before: bool) -> str:
    """The path of a page that tells of an action; None changed nothing."""
    return f"{path}{'&' if '?' in path else '?'}done={done_in(action, is_before=is_before)}"


def _acting(table: PlayTable, character_id: str | None) -> list[Acting]:
    """The members whom the reader may act for, where they are several: a GM for all, others for their own."""
    campaign = table.campaign
    own = [
        character
        for character in characters(campaign.state)
        if campaign.role == "gm" or character.player == campaign.account
    ]
    if len(own) < 2:  # noqa: PLR2004 — there is nothing to choose
        return []
    return [
        Acting(
            campaign.name(character.character),
            f"{table.path}/do?character={quote(str(character.character))}",
            character.character == character_id,
        )
        for character in own
    ]
