"""`/c/{campaign}/do`: what a member can do now, and the form of each command."""

from typing import Any, ClassVar
from urllib.parse import parse_qsl, quote, urlencode

import msgspec
from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct

from domain.campaign.play.characters import characters
from domain.rejection import Rejection
from domain.sentences import Sentence, say
from services.api.actions import KeyHeader, checked_key
from services.api.problems import STATUS_BY_KIND
from services.application import Application
from services.commands.submit import submit_command
from services.web.answers import see_other, shown
from services.web.campaign_page import CampaignPage, read_paths
from services.web.campaign_steps import OF_THE_CAMPAIGN
from services.web.chronicle_lines import Line, line_of
from services.web.command_entries import ENTRIES_MAX, Entered, sent_entries
from services.web.command_form import rearranged
from services.web.command_list import Acting, CommandList, command_list
from services.web.command_page import CommandEntry
from services.web.play_table import PlayTable, play_table
from services.web.visitor import Visitor

READ_ONLY = [
    f"/c/{{campaign:str}}/as/{{member:str}}/{page}"
    for page in ("do/{command:str}", "files", *OF_THE_CAMPAIGN, "members/{account:str}/{step:str}")
]
"""Where a member does something that a GM can see through their eyes, but not do."""
ACT = "act"
MALFORMED = 400
FORBIDDEN = 403


class CommandsPage(CampaignPage, frozen=True):
    """What can be done now. `happened` is what the reader just did."""

    template: ClassVar[str] = "do.html"
    section: ClassVar[str] = "do"
    can: CommandList
    happened: Line | None

    @property
    def title(self) -> Sentence:
        """What the page answers."""
        return say("What you can do")


class NothingToDo(CampaignPage, frozen=True):
    """What stands in the place of a form where a GM reads as a member."""

    template: ClassVar[str] = "nothing_to_do.html"
    section: ClassVar[str] = "do"

    @property
    def title(self) -> Sentence:
        """What cannot be done."""
        return say("Only looking")


@get(read_paths("/do"))
async def commands_page(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """What can be done now: with `?character=` for that one, with `?all` also what cannot, and why."""
    table = await play_table(application, visitor, campaign)
    said = dict(_query(request))
    known = [str(each.character) for each in characters(table.seen.state)]
    asked = said.get("character")  # another one would only cost: what can be done is kept for each text that comes
    page = await list_page(table, asked if asked in known else None, "all" in said, said.get("done", ""))
    return shown(request, visitor, page)


@get("/c/{campaign:str}/do/{command:str}")
async def command_page(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    command: FromPath[str],
) -> Response[bytes]:
    """The form of a command, with what the query says filled in."""
    table = await play_table(application, visitor, campaign)
    await application.rates.act(table.seen.campaign_id, table.seen.account)
    page = await CommandEntry(table, table.kind(command), _query(request), sent=False).page()
    return shown(request, visitor, page)


@get(READ_ONLY)
async def nothing_to_do(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """That who reads as another member cannot act as them; the way back leads to the form of their own."""
    table = await play_table(application, visitor, campaign)
    return shown(request, visitor, NothingToDo(**table.frame), FORBIDDEN)


@post("/c/{campaign:str}/do/{command:str}")
async def command_sent(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    command: FromPath[str],
    key: KeyHeader = None,
) -> Response[bytes]:
    """Give the command and go back to where its form was linked; or show the form again as it is filled in."""
    table = await play_table(application, visitor, campaign)
    await application.rates.act(table.seen.campaign_id, table.seen.account)
    entries = sent_entries(await request.body())
    do = Entered(entries).last("do")
    form = CommandEntry(table, table.kind(command), rearranged(entries, do), sent=True)
    if do != ACT:
        return shown(request, visitor, await form.page())
    act = form.request()
    if act is None:
        return shown(request, visitor, await form.page(), MALFORMED)
    try:
        once = checked_key(key or form.entered.last("key"))
        answer = await submit_command(application, table.seen.campaign_id, table.seen.account, act, key=once)
    except Rejection as refusal:
        again = await play_table(application, visitor, campaign)
        status = next(status for kind, status in STATUS_BY_KIND if isinstance(refusal, kind))
        page = await CommandEntry(again, again.kind(command), form.entries, sent=True).page(refusal)
        return shown(request, visitor, page, status)
    return see_other(path_after(form.back, answer))


async def list_page(
    table: PlayTable, character: str | None = None, with_refused: bool = False, done: str = ""
) -> CommandsPage:
    """The page of what can be done; `done` is the id of what the reader just did."""
    here = f"{table.path}/do" + (f"?character={quote(character, safe='')}" if character else "")
    can = await can_do(table, here, character, with_refused=with_refused)
    return CommandsPage(**table.frame, can=can, happened=await line_of(table.application, table.seen, done))


async def can_do(
    table: PlayTable, back: str, character: str | None = None, *, with_refused: bool = False
) -> CommandList:
    """What the reader can do now, as the page at `back` shows it; forms lead back there."""
    asked = {"character": character, "all": "yes"} if character else {"all": "yes"}
    return command_list(
        await table.application.possible.all(table.seen, character),
        table.seen.account,
        table.ways(table.back(back)),
        _acting(table, character),
        character=character,
        refused_path=None if with_refused else f"{table.path}/do?{urlencode(asked)}",
        is_gm=table.seen.role == "gm",
    )


class _Done(Struct, frozen=True):
    """What is read of an answer."""

    action_id: str


def _query(request: Request[Any, Any, Any]) -> list[tuple[str, str]]:
    return parse_qsl(request.url.query, keep_blank_values=True)[:ENTRIES_MAX]


def path_after(path: str, answer: bytes) -> str:
    """The path of a page that is read after a command was given, and that tells of it."""
    done = msgspec.json.decode(answer, type=_Done).action_id
    return f"{path}{'&' if '?' in path else '?'}done={done}"


def _acting(table: PlayTable, chosen: str | None) -> list[Acting]:
    """Whom the reader may act for, where they are several: a GM for all, others for their own."""
    seen = table.seen
    own = [each for each in characters(seen.state) if seen.role == "gm" or each.player == seen.account]
    if len(own) < 2:  # noqa: PLR2004 — there is nothing to choose
        return []
    return [
        Acting(
            seen.name(each.character),
            f"{table.path}/do?character={quote(str(each.character))}",
            each.character == chosen,
        )
        for each in own
    ]
