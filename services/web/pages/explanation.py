"""`/c/{campaign}/sheets/{key}/why`: why a value of a sheet is what it is, move by move."""

from typing import Any, ClassVar

from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.response import Response
from msgspec import Struct

from domain.campaign.play.characters import system_of
from domain.ids import CharacterId
from domain.rejection import Missing
from domain.sentences import Sentence, say
from projections.campaign.diff import Difference
from projections.word_list import word_list
from services.api.paths import AtQuery, campaign_of, moment_of
from services.api.time_limit import takes_long
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.queries.diff import Move, Why, why
from services.queries.names_in_answers import names_in
from services.runtime.reader_language import prefer
from services.web.answers import shown
from services.web.campaign_page import CampaignPage, campaign_path, frame_of, read_paths
from services.web.changed_values import ChangedValue, InWords
from services.web.chronicle_lines import action_path
from services.web.visitor import Visitor

PATH_MAX = 200


class ValueMove(Struct, frozen=True):
    """An action that moved the value, in words, with the value before and after it."""

    seq: int
    path: str
    at: str
    actor: str
    told: str
    before: str
    after: str


class ExplanationPage(CampaignPage, frozen=True, kw_only=True):
    """What a value is, and everything that moved it, oldest first.

    `since` is the number of the action from which on moves were looked for, 0: from the first; `began` is the
    value then. `sheet` is the address of the sheet that it stands on, `whose` the name of that sheet.
    """

    template: ClassVar[str] = "explanation.html"
    section: ClassVar[str] = "sheets"
    sheet: str
    whose: str
    value: ChangedValue
    moves: list[ValueMove]
    since: int
    as_of: int | None

    @property
    def title(self) -> Sentence:
        """Which value this is about."""
        return say("Why {value}?", value=self.value.title)


@get(read_paths("/sheets/{key:str}/why"), guards=[takes_long])
async def explanation(
    request: Request[Any, Any, Any],
    application: NamedDependency[Application],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    key: FromPath[str],
    path: FromQuery[str],
    at: AtQuery = None,
) -> Response[bytes]:
    """Everything that moved a value of a sheet, up to now or to a moment. Refuses `path_not_found`."""
    account = visitor.signed_in.account_id
    seen = await application.campaigns.see(
        campaign_of(campaign), account, moment_of(at), as_member=visitor.reads_as
    )
    prefer(seen.language)
    character = CharacterId(key)
    struct = word_list(seen.language).sheets[system_of(seen.state, character)]
    found = await why(application, seen, character, path[:PATH_MAX])
    telling = InWords(seen, names_in(found, seen))
    told = telling.value(struct, Difference(found.path, found.before, found.value))
    if told is None:
        raise Missing("path_not_found", say("Why this is so cannot be told in a line."))
    home = campaign_path(seen)
    page = ExplanationPage(
        **frame_of(seen),
        sheet=f"{home}/sheets/{key}" + ("" if at is None else f"?at={seen.seq}"),
        whose=seen.name(character),
        value=told,
        moves=_moves(seen, found, telling, struct),
        since=found.since_seq,
        as_of=None if at is None else seen.seq,
    )
    return shown(request, visitor, page)


def _moves(seen: VisibleCampaign, found: Why, telling: InWords, struct: str) -> list[ValueMove]:
    return [
        _move(seen, each, telling.value(struct, Difference(found.path, each.before, each.after)))
        for each in found.moves
    ]


def _move(seen: VisibleCampaign, move: Move, told: ChangedValue | None) -> ValueMove:
    before, after = ("", "") if told is None else (told.before, told.after)
    return ValueMove(
        move.seq, action_path(seen, move.seq), move.at, move.actor_name or "", move.told, before, after
    )
