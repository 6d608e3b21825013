"""`/c/{campaign}/sheets/{key}/why` and `…/boards/{system}/{board}/why`: the changes of a value, one by one."""

from typing import ClassVar, NamedTuple

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.response import Response
from msgspec import Struct, structs

from domain.campaign.play.characters import system_of
from domain.ids import CharacterId
from domain.rejection import Missing
from domain.sentences import Sentence, say
from projections.campaign.diff import Difference
from projections.word_list import word_list
from services.campaign.visible_campaign import VisibleCampaign
from services.http.middleware.time_limit import takes_long
from services.http.paths import AtQuery
from services.http.screen.shared.answers import show_page
from services.http.screen.shared.campaign_page import (
    CampaignPage,
    campaign_path,
    frame_of,
    read_paths,
)
from services.http.screen.shared.changed_values import ChangedValue, InWords
from services.http.screen.shared.chronicle_lines import action_path
from services.http.screen.shared.visitor import Visit, open_campaign
from services.reading.diff import Move, Why, why, why_on_board
from services.reading.names_in_answers import names_in

PATH_MAX = 200
MOVES_MAX = 200


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

    @property
    def title(self) -> Sentence:
        """Which value this is about, and what it is."""
        if not self.value.after:
            return say("{value}: why?", value=self.value.label)
        return say("{value}: why {figure}?", value=self.value.label, figure=self.value.after)


@get(read_paths("/sheets/{key:str}/why"), guards=[takes_long])
async def explanation(
    visit: NamedDependency[Visit], key: FromPath[str], path: FromQuery[str], at: AtQuery = None
) -> Response[bytes]:
    """Everything that moved a value of a sheet, up to now or to a moment. Refuses `path_not_found`."""
    visible = await open_campaign(visit, at)
    character = CharacterId(key)
    struct = word_list(visible.language).sheets[system_of(visible.state, character)]
    explanation = last_moves(await why(visit.application, visible, character, path[:PATH_MAX]))
    whence = Whence(f"{campaign_path(visible)}/sheets/{key}", visible.name(character), struct)
    return show_page(visit, _page(visible, explanation, whence, at))


@get(read_paths("/boards/{system:str}/{board_key:str}/why"), guards=[takes_long])
async def explanation_on_board(
    visit: NamedDependency[Visit],
    system: FromPath[str],
    board_key: FromPath[str],
    path: FromQuery[str],
    at: AtQuery = None,
) -> Response[bytes]:
    """Everything that moved a value of a board, up to now or to a moment. Refuses `path_not_found`."""
    visible = await open_campaign(visit, at)
    explanation = last_moves(await why_on_board(visit.application, visible, system, board_key, path[:PATH_MAX]))
    words = word_list(visible.language).boards[f"{system}/{board_key}"]
    whence = Whence(f"{campaign_path(visible)}/boards", words.title, words.struct)
    return show_page(visit, _page(visible, explanation, whence, at))


def _page(campaign: VisibleCampaign, explanation: Why, whence: Whence, at: str | None) -> ExplanationPage:
    """The page of a value. Refuses `path_not_found` where it cannot be told in a line."""
    telling = InWords(campaign, names_in(explanation, campaign))
    change = telling.value(
        whence.struct, Difference(explanation.path, explanation.before, explanation.value), nameless=True
    )
    if change is None:
        raise Missing("path_not_found", say("Why this is so cannot be told in a line."))
    return ExplanationPage(
        **frame_of(campaign),
        sheet=whence.path + ("" if at is None else f"?at={campaign.seq}"),
        whose=whence.name,
        value=change,
        moves=_moves(campaign, explanation, telling, whence.struct),
        since=explanation.since_seq,
        as_of=None if at is None else campaign.seq,
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
