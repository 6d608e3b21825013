"""Boards: how a part of the game stands now, drawn from the state of one audience."""

from typing import Any

from msgspec import Struct, structs

from domain.campaign.membership import players_of
from domain.campaign.settings import language_of, settings_of
from domain.campaign.state import CampaignState
from domain.ids import SystemId
from domain.rejection import Missing
from domain.sentences import Sentence, say
from domain.systems import SYSTEMS
from projections.awaited_answers import Name, WaitingFor
from projections.drawings.board_parts import Drawing, Words
from projections.hidden_answers import OpenAnswers
from projections.languages import render
from projections.system_views import Board
from projections.systems import SYSTEM_VIEWS


class BoardEntry(Struct, frozen=True):
    """A board of the campaign."""

    system: SystemId
    board: str
    title: str


def boards(state: CampaignState, language: str | None = None) -> list[BoardEntry]:
    """The boards of a campaign's systems, by their titles in a language; None: the campaign's."""
    language = language or language_of(state.changed_settings)
    return [_entry(system, board, language) for system in state.systems for board in SYSTEM_VIEWS[system].boards]


def as_may_be_asked(
    state: CampaignState, common: CampaignState | None, system: SystemId, waiting: list[WaitingFor]
) -> list[WaitingFor]:
    """The choices, marked as hidden where their answers have to be sent hidden.

    `common` is the campaign as the table knows it; None: not known. Where the table knows everything, nothing has
    to be hidden.
    """
    if common is None or not waiting or _is_same(state, common):
        return waiting
    return OpenAnswers(SYSTEMS[system], state, common).marked(waiting)


def _is_same(state: CampaignState, common: CampaignState) -> bool:
    """Whether nothing is known of a campaign that the table does not know."""
    own = structs.replace(state, dice=common.dice, skipped=common.skipped, missed=common.missed)
    return state is common or own == common


def board(
    state: CampaignState,
    system: SystemId,
    key: str,
    name: Name,
    common: CampaignState | None = None,
    language: str | None = None,
) -> tuple[BoardEntry, Struct]:
    """A board as it stands now, its sentences in a language; None: the campaign's. Refuses `board_not_found`.

    `common` is the campaign as the table knows it, where that is known.
    """
    language = language or language_of(state.changed_settings)
    for system_board in SYSTEM_VIEWS[system].boards if system in state.systems else ():
        if system_board.board == key:
            settings = settings_of(system, state.changed_settings)
            view = system_board.view(state.systems[system], name, settings, players_of(state))
            if "waits_for" in view.__struct_fields__:
                context = as_may_be_asked(state, common, system, getattr(view, "waits_for"))  # noqa: B009
                # An archived campaign accepts no answers.
                view = structs.replace(view, waits_for=context if state.archived_at is None else [])
            return _entry(system, system_board, language), _with_texts(view, language)
    nowhere = say("This campaign does not have that board.")
    raise Missing("board_not_found", render(nowhere, language))


def drawing(entry: BoardEntry, view: Struct, words: Words) -> Drawing:
    """A board as it is drawn from its view."""
    [system_board] = [board for board in SYSTEM_VIEWS[entry.system].boards if board.board == entry.board]
    return system_board.draw(view, words)


def _entry(system: SystemId, board: Board, language: str) -> BoardEntry:
    return BoardEntry(system, board.board, render(board.title, language))


def _with_texts(part: Any, language: str) -> Any:
    """A drawing, or a part of it, with its sentences rendered as text."""
    match part:
        case Sentence():
            return render(part, language)
        case Struct():
            texts = {field: _with_texts(getattr(part, field), language) for field in part.__struct_fields__}
            changes = {field: value for field, value in texts.items() if value is not getattr(part, field)}
            return structs.replace(part, **changes) if changes else part
        case list():
            return [_with_texts(inner, language) for inner in part]
        case _:
            return part
