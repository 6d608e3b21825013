"""`/c/{campaign}/things`: the things of the group with their holders; of one, where it came from and went."""

from collections.abc import Sequence
from typing import Any, ClassVar
from urllib.parse import urlencode

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct

from domain.campaign.messages.names import Rename
from domain.campaign.messages.things import CreateThing, MoveThing
from domain.campaign.play.ledger_accounts import ESCROW, FOUND, USED_UP, kind_of, owner_of, purse_of
from domain.campaign.play.names import renameable
from domain.ids import CharacterId
from domain.rejection import Missing
from domain.sentences import Part, Sentence, say
from projections.campaign.dates import CampaignDates
from projections.campaign.ledger import LedgerEntry
from projections.campaign.things import ThingView, things_of, things_of_group
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.route_parameters import AfterQuery, AtQuery, BeforeQuery
from services.http.screen.commands.play_table import PlayTable, table_of
from services.http.screen.money.money import SPLIT, Way, among_players, told_moment
from services.http.screen.money.statement_lines import AccountLink, account_link, balance_why, sentences_of
from services.http.screen.shared.campaign_page import CampaignPage, campaign_path, frame_of, watched_paths
from services.http.screen.shared.chronicle_lines import action_path
from services.http.screen.shared.page_responses import show_page
from services.http.screen.shared.visitor import Visit, open_campaign
from services.reading.ledger_books import PageOfEntries, statement_of
from services.reading.parameters import require_one_direction

CREATE, MOVE, RENAME = (str(kind.__struct_config__.tag) for kind in (CreateThing, MoveThing, Rename))
ENTRIES = 50


class HolderLine(Struct, frozen=True):
    """An account that has so many of a thing, and what the reader may do with them."""

    account: AccountLink
    amount: int
    why: str
    ways: list[Way]


class ThingLine(Struct, frozen=True):
    """A thing of the group with those who have it."""

    key: str
    name: str
    path: str
    kind: str
    description: str
    in_play: int
    set_aside: int
    holders: list[HolderLine]


class OwnThingLine(Struct, frozen=True):
    """So many of a thing that a character has, and what the reader may do with them."""

    name: str
    path: str
    kind: str
    amount: int
    why: str
    ways: list[Way]


class ThingsPage(CampaignPage, frozen=True, kw_only=True):
    """The things of the group."""

    template: ClassVar[str] = "things.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "money"
    things: list[ThingLine]
    without_holder: list[ThingLine]
    """Those without a holder, no longer or not yet."""
    ways: list[Way]
    moment: Sentence | None

    @property
    def title(self) -> Sentence:
        """The page's title."""
        return say("Things")


class ThingMove(Struct, frozen=True):
    """An entry of a thing: from where to where, and why."""

    seq: int
    path: str
    at: str
    date: Part
    sentence: str
    actor: str
    debit: AccountLink
    credit: AccountLink
    amount: int


class ThingPage(CampaignPage, frozen=True, kw_only=True):
    """Where a thing came from and went to, newest first."""

    template: ClassVar[str] = "thing.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "money"
    thing: ThingLine
    moves: list[ThingMove]
    later: str
    earlier: str
    ways: list[Way]
    moment: Sentence | None

    @property
    def title(self) -> str:
        """The page's title: the thing."""
        return self.thing.name


@get(watched_paths("/things"))
async def things_page(visit: NamedDependency[Visit], at: AtQuery = None) -> Response[bytes]:
    """Every thing with who has how many of it, now or at a moment, and what can be done with it."""
    visible = await open_campaign(visit, at)
    past = None if at is None else visible.seq
    drawing = ThingDrawing(visit.application, visible, past, f"{campaign_path(visible)}/things")
    lines = [drawing.line(view) for view in things_of_group(visible.state, visible.name, visible.language)]
    page = ThingsPage(
        **frame_of(visible),
        things=[line for line in lines if line.in_play],
        without_holder=[line for line in lines if not line.in_play],
        ways=drawing.ways_to_begin(),
        moment=told_moment(visible, past),
    )
    return show_page(visit, page)


@get(watched_paths("/things/{thing:str}"))
async def thing_page(
    visit: NamedDependency[Visit],
    thing: FromPath[str],
    before: BeforeQuery = None,
    after: AfterQuery = None,
    at: AtQuery = None,
) -> Response[bytes]:
    """The last entries of a thing, or those before or after a seq. Refuses `thing_not_found`."""
    require_one_direction(after, before)
    visible = await open_campaign(visit, at)
    views = things_of_group(visible.state, visible.name, visible.language)
    view = next((view for view in views if view.thing == thing), None)
    if view is None:
        raise Missing("thing_not_found", visible.text_of(say("The group has no such thing.")))
    past = None if at is None else visible.seq
    own_path = f"{campaign_path(visible)}/things/{thing}"
    newest = visible.seq + 1 if before is None and after is None else before
    place = PageOfEntries(after, newest, ENTRIES, thing)
    entries_page = await statement_of(visit.application, visible, None, None, place)
    entries = entries_page.entries[::-1] if after is not None else entries_page.entries
    drawing = ThingDrawing(visit.application, visible, past, own_path)
    has_later = entries_page.next_after is not None if after is not None else before is not None
    has_earlier = after is not None or entries_page.next_before is not None

    def at_place(**query: int) -> str:
        return f"{own_path}?{urlencode(query | ({} if past is None else {'at': past}))}"

    page = ThingPage(
        **frame_of(visible),
        thing=drawing.line(view),
        moves=await drawing.moves(entries),
        later=at_place(after=entries[0].seq) if entries and has_later else "",
        earlier=at_place(before=entries[-1].seq) if entries and has_earlier else "",
        ways=drawing.ways_of(view),
        moment=told_moment(visible, past),
    )
    return show_page(visit, page)


class ThingDrawing:
    """Draws things for one reader; `past` is the seq that is read, if that is not now."""

    def __init__(self, application: Application, campaign: VisibleCampaign, past: int | None, back: str) -> None:
        self._application = application
        self._campaign = campaign
        self._past = past
        is_open = past is None and campaign.role != "observer" and campaign.state.archived_at is None
        self._table: PlayTable | None = table_of(application, campaign) if is_open else None
        self._back = back
        self._among = among_players(campaign)

    def line(self, view: ThingView) -> ThingLine:
        """A thing with its holders."""
        return ThingLine(
            key=view.thing,
            name=view.name,
            path=self._path(view.thing),
            kind=view.kind or "",
            description=view.description or "",
            in_play=view.in_play,
            set_aside=view.set_aside,
            holders=[
                HolderLine(
                    account_link(self._campaign, holder.account, self._past),
                    holder.amount,
                    balance_why(self._campaign, holder.account, view.thing, self._past),
                    self._ways_of_holder(view.thing, holder.account),
                )
                for holder in view.holders
            ],
        )

    def of_character(self, character: CharacterId) -> list[OwnThingLine]:
        """The things of a character."""
        return [
            OwnThingLine(
                own.name,
                self._path(own.thing),
                own.kind or "",
                own.amount,
                balance_why(self._campaign, own.account, own.thing, self._past),
                self._ways_of_holder(own.thing, own.account),
            )
            for own in things_of(self._campaign.state, character)
        ]

    def ways_to_begin(self, character: CharacterId | None = None) -> list[Way]:
        """The forms that bring something in, for a character or for anybody, and that split."""
        account = {} if character is None else {"account": purse_of(character)}
        return [
            *self._form(say("Bring something in …"), CREATE, account),
            *(
                self._form(say("Split …"), SPLIT, {"among": among_players(self._campaign)})
                if character is None
                else []
            ),
        ]

    def ways_of(self, view: ThingView) -> list[Way]:
        """The forms about a thing: more of it for GMs, another name for its owner."""
        campaign = self._campaign
        more = {"thing": view.thing, "debit": FOUND}
        is_gm = campaign.role == "gm"
        may_rename = is_gm or renameable(campaign.state).get(view.thing) == campaign.account
        return [
            *(self._form(say("Bring in more …"), MOVE, more) if is_gm else []),
            *(self._form(say("Rename …"), RENAME, {"thing": view.thing}) if may_rename else []),
        ]

    async def moves(self, entries: Sequence[LedgerEntry]) -> list[ThingMove]:
        """The entries of a thing, in the same order."""
        campaign = self._campaign
        sentences = await sentences_of(self._application, campaign, [entry.action_id for entry in entries])
        dates = CampaignDates(campaign.state, campaign.language)
        return [
            ThingMove(
                seq=entry.seq,
                path=action_path(campaign, entry.seq),
                at=entry.imported_at or entry.at,
                date=dates.day(entry.game_time),
                sentence=sentences.of(entry.seq, entry.action_id),
                actor=entry.actor_name or "",
                debit=self._link(entry.debit),
                credit=self._link(entry.credit),
                amount=entry.amount,
            )
            for entry in entries
        ]

    def _link(self, account: str) -> AccountLink:
        """The way to a statement; an amount set aside has no name of its own here."""
        own = account_link(self._campaign, account, self._past)
        return AccountLink(own.path, say("Set aside")) if kind_of(account) == ESCROW else own

    def _ways_of_holder(self, thing: str, account: str) -> list[Way]:
        """The forms that move a thing out of an account, where the reader may."""
        campaign = self._campaign
        if campaign.role != "gm" and owner_of(campaign.state, account) != campaign.account:
            return []
        from_here = {"debit": account}
        return [
            *self._form(say("Hand over …"), MOVE, {"thing": thing, **from_here}),
            *self._form(say("Use up …"), MOVE, {"thing": thing, **from_here, "credit": USED_UP}),
            *self._form(say("Split …"), SPLIT, {"currency": thing, **from_here, "among": self._among}),
        ]

    def _form(self, title: Sentence, command: str, values: dict[str, Any]) -> list[Way]:
        if self._table is None:
            return []
        return [Way(title, self._table.ways(self._table.back(self._back)).form(command, values))]

    def _path(self, thing: str) -> str:
        when = "" if self._past is None else f"?at={self._past}"
        return f"{campaign_path(self._campaign)}/things/{thing}{when}"
