"""`…/sheets/{key}/why`, `…/boards/{system}/{board}/why`: the changes of a value, and the commands about it."""

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple
from urllib.parse import quote

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.response import Response
from msgspec import Struct, structs

from domain.campaign.play.characters import system_of
from domain.ids import CharacterId, SystemId
from domain.offers.commands_about_things import Thing
from domain.offers.fields import fields_of
from domain.rejection import Missing
from domain.sentences import Sentence, say
from projections.boards import board
from projections.campaign.diff import NOTHING, Difference, value_at
from projections.command_forms import Act
from projections.sheets import sheet
from projections.things_on_sheets import things_of_value
from projections.titles import command_title
from projections.word_list import word_list
from services.campaign.visible_campaign import VisibleCampaign
from services.http.middleware.time_limit import takes_long
from services.http.route_parameters import AtQuery
from services.http.screen.commands.command_list import Doing, Ways
from services.http.screen.commands.command_page import CommandEntry, CommandPage
from services.http.screen.commands.form_entries import entries_of
from services.http.screen.commands.play_table import PlayTable, table_of
from services.http.screen.shared.campaign_page import (
    CampaignPage,
    campaign_path,
    frame_of,
    watched_paths,
)
from services.http.screen.shared.changed_values import ChangedValue, InWords
from services.http.screen.shared.chronicle_lines import action_path
from services.http.screen.shared.page_responses import show_page
from services.http.screen.shared.sheet_links import board_path, explained_at
from services.http.screen.shared.visitor import Visit, open_campaign
from services.reading.diff import Move, Why, why, why_on_board
from services.reading.names_in_answers import names_in

PATH_MAX = 200
MOVES_MAX = 200
ACTS = "acts"
"""In an address: it asks for the acts, with the form of the first. A value without any is explained instead."""
UNTOLD = say("Why this is so cannot be told in a line.")


class ValueMove(Struct, frozen=True):
    """An action that moved the value, in words, with the value before and after it."""

    seq: int
    path: str
    at: str
    actor: str
    told: str
    before: str
    after: str


class Whence(NamedTuple):
    """Where a value stands: the page, what that is called, and the struct of its view."""

    path: str
    name: str
    struct: str
    why: str
    """The address of why it is so."""


class Acts(NamedTuple):
    """The commands about a value, with what is known of their fields."""

    table: PlayTable
    values: list[tuple[str, dict[str, Any]]]

    @property
    def ways(self) -> Ways:
        """Where they are given."""
        return self.table.ways(f"{self.table.path}/table")

    @property
    def doings(self) -> tuple[Doing, ...]:
        """The form of each."""
        ways = self.ways
        return tuple(
            Doing(command_title(command), ways.form(command, values), ways.action(command), ways.back)
            for command, values in self.values
        )


class ActsPage(CampaignPage, frozen=True, kw_only=True):
    """The acts of a value, the first with its form; `about` is whose value it is, `why` leads to what moved it."""

    template: ClassVar[str] = "acts.html"
    section: ClassVar[str] = "do"
    about: str
    title: str
    acts: tuple[Doing, ...]
    form: CommandPage
    why: str


class ExplanationPage(CampaignPage, frozen=True, kw_only=True):
    """A value, and everything that moved it, oldest first."""

    template: ClassVar[str] = "explanation.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "sheets"
    sheet: str
    """The address of the sheet that it stands on, or of the boards."""
    whose: str
    """The name of that sheet or board."""
    value: ChangedValue
    moves: list[ValueMove]
    since: int
    """The number of the action from which on moves were looked for; 0: from the first."""
    as_of: int | None
    is_thing: bool = False
    """It has several parts, which its line does not tell."""
    acts: tuple[Doing, ...] = ()
    """The commands that may be given about it now; their forms are filled in with it."""
    heading: str = ""
    """Its name at the beginning of the title, where that is another than beside an amount."""

    @property
    def title(self) -> Sentence:
        """Which value this is about, and what it is."""
        value = self.heading or self.value.label
        if not self.value.after:
            return say("{value}: why?", value=value)
        return say("{value}: why {figure}?", value=value, figure=self.value.after)


@get(watched_paths("/sheets/{key:str}/why"), guards=[takes_long])
async def explanation(
    visit: NamedDependency[Visit], key: FromPath[str], path: FromQuery[str], at: AtQuery = None
) -> Response[bytes]:
    """Everything that moved a value of a sheet, up to now or to a moment. Refuses `path_not_found`."""
    visible = await open_campaign(visit, at)
    character = CharacterId(key)
    struct = word_list(visible.language).sheets[system_of(visible.state, character)]
    sheet_path = f"{campaign_path(visible)}/sheets/{key}"
    whence = Whence(sheet_path, visible.name(character), struct, explained_at(sheet_path) + quote(path, safe=""))
    view = sheet(visible.state, system_of(visible.state, character), character)
    acts = await acts_of_things(visit, visible, things_of_value(view, path[:PATH_MAX]), at)
    if acts is not None and ACTS in visit.request.query_params:
        return show_page(visit, await _acts_page(visible, view, path, whence, acts))
    explanation = last_moves(await why(visit.application, visible, character, path[:PATH_MAX]))
    return show_page(visit, _page(visible, explanation, whence, at, acts))


@get(watched_paths("/boards/{system:str}/{board_key:str}/why"), guards=[takes_long])
async def explanation_on_board(
    visit: NamedDependency[Visit],
    system: FromPath[str],
    board_key: FromPath[str],
    path: FromQuery[str],
    at: AtQuery = None,
) -> Response[bytes]:
    """Everything that moved a value of a board, up to now or to a moment. Refuses `path_not_found`."""
    visible = await open_campaign(visit, at)
    entry, view = board(visible.state, SystemId(system), board_key, visible.name, visible.common, visible.language)
    words = word_list(visible.language).boards[f"{system}/{board_key}"]
    explains = explained_at(board_path(visible, entry)) + quote(path, safe="")
    whence = Whence(f"{campaign_path(visible)}/boards", words.title, words.struct, explains)
    acts = await acts_of_things(visit, visible, things_of_value(view, path[:PATH_MAX]), at)
    if acts is not None and ACTS in visit.request.query_params:
        return show_page(visit, await _acts_page(visible, view, path, whence, acts))
    explanation = last_moves(await why_on_board(visit.application, visible, system, board_key, path[:PATH_MAX]))
    return show_page(visit, _page(visible, explanation, whence, at, acts))


async def acts_of_things(
    visit: Visit, campaign: VisibleCampaign, things: Sequence[Thing], at: str | None
) -> Acts | None:
    """The acts of things; None in the past, through another's eyes, or where there are none."""
    if at is not None or visit.visitor.reads_as is not None:
        return None
    acts = await visit.application.possible.acts(campaign, things)
    by_command = {act.command: act for several in reversed(acts.values()) for act in reversed(several)}
    table = table_of(visit.application, campaign)
    return Acts(table, [_values(act, table) for act in reversed(by_command.values())]) if by_command else None


def _values(act: Act, table: PlayTable) -> tuple[str, dict[str, Any]]:
    """The command of an act, and what is known of its fields."""
    defaults = {field.name: msgspec.to_builtins(field.default) for field in fields_of(table.kinds[act.command])}
    return act.command, {
        field.name: field.default for field in act.fields if field.default != defaults[field.name]
    }


async def _acts_page(campaign: VisibleCampaign, view: Struct, path: str, whence: Whence, acts: Acts) -> ActsPage:
    """The page of the acts of a value. Refuses `path_not_found` where the value cannot be told."""
    plain = value_at(msgspec.to_builtins(view), path)
    difference = Difference(path, None, None if plain is NOTHING else plain)
    telling = InWords(campaign, names_in(view, campaign))
    value = None if isinstance(plain, dict) else telling.value(whence.struct, difference, nameless=True)
    value = value or telling.place(whence.struct, difference)
    if value is None:
        raise Missing("path_not_found", UNTOLD)
    about = " · ".join(filter(None, (whence.name, value.heading)))
    return await acts_page(campaign, acts, about, f"{value.label} {value.after}".strip(), whence.why)


async def acts_page(campaign: VisibleCampaign, acts: Acts, about: str, title: str, why: str) -> ActsPage:
    """The page of the acts of a value, which `title` tells; `about` is whose it is, `why` what moved it."""
    command, values = acts.values[0]
    ways, kind = acts.ways, acts.table.kind(command)
    entries = [*entries_of(kind, values), ("next", ways.back)]
    return ActsPage(
        **frame_of(campaign),
        about=about,
        title=title,
        acts=acts.doings,
        form=await CommandEntry(acts.table, kind, entries, is_sent=False).page(),
        why=why,
    )


def _page(
    campaign: VisibleCampaign, explanation: Why, whence: Whence, at: str | None, acts: Acts | None
) -> ExplanationPage:
    """The page of a value. Refuses `path_not_found` where it cannot be told in a line."""
    telling = InWords(campaign, names_in(explanation, campaign))
    difference = Difference(explanation.path, explanation.before, explanation.value)
    is_dict = isinstance(explanation.value or explanation.before, dict)
    told = None if is_dict else telling.value(whence.struct, difference, nameless=True)
    change = told or telling.place(whence.struct, difference)
    if change is None:
        raise Missing("path_not_found", UNTOLD)
    return ExplanationPage(
        **frame_of(campaign),
        sheet=whence.path + ("" if at is None else f"?at={campaign.seq}"),
        whose=whence.name,
        value=change,
        is_thing=told is None,
        moves=_moves(campaign, explanation, telling, whence.struct),
        since=explanation.since_seq,
        as_of=None if at is None else campaign.seq,
        acts=() if acts is None else acts.doings,
    )


def last_moves(explanation: Why) -> Why:
    """The explanation from the last moves on, as many as a page holds."""
    left_out = explanation.moves[:-MOVES_MAX]
    if not left_out:
        return explanation
    return structs.replace(
        explanation, since_seq=left_out[-1].seq, before=left_out[-1].after, moves=explanation.moves[-MOVES_MAX:]
    )


def _moves(campaign: VisibleCampaign, explanation: Why, telling: InWords, struct: str) -> list[ValueMove]:
    """Every move in words, but for those from nothing to nothing, as where a place for it came."""
    changes = [
        (move, telling.value(struct, Difference(explanation.path, move.before, move.after), nameless=True))
        for move in explanation.moves
    ]
    return [
        _move(campaign, move, value) for move, value in changes if value is None or value.before or value.after
    ]


def _move(campaign: VisibleCampaign, move: Move, change: ChangedValue | None) -> ValueMove:
    before, after = ("", "") if change is None else (change.before, change.after)
    return ValueMove(
        move.seq, action_path(campaign, move.seq), move.at, move.actor_name or "", move.told, before, after
    )
