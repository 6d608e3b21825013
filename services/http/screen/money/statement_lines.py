"""Entries of one account as a statement shows them: when, what happened, with whom, how much, what was left."""

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from msgspec import Struct

from domain.campaign.evolve import ENTERED
from domain.campaign.money.ledger import keeper_of
from domain.ids import ActionId, CharacterId
from domain.sentences import Part, Sentence
from projections.campaign.dates import CampaignDates
from projections.campaign.ledger import LedgerEntry, note_of
from projections.campaign.ledger_account_names import account_title, title_beside_owner
from projections.narration import narrate
from projections.narration_tables import currency_name
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.screen.shared.campaign_page import campaign_path
from services.http.screen.shared.chronicle_lines import action_path
from services.reading.action_sentences import telling
from services.reading.event_scan import by_action
from services.reading.play_session import SessionHeld


class AccountLink(Struct, frozen=True):
    """An account by its name, and the way to its statement."""

    path: str
    title: str | Sentence


class PurseLine(Struct, frozen=True):
    """The balance of a currency or thing in a purse, and the way to its acts and to why it is so much."""

    title: Part
    amount: int
    why: str


class Undoing(Struct, frozen=True):
    """The action that undid another: its number and its page."""

    seq: int
    path: str


class EntryLine(Struct, frozen=True):
    """An entry of an account."""

    seq: int
    path: str
    at: str
    session: int | None
    """The number of the play session; None: between two."""
    told: str
    actor: str
    other: AccountLink | None
    """The account that it came from or went to; None: there is none."""
    currency: Part
    change: int | None
    """None where the account came into play with what it held."""
    balance: int | None
    why: str
    """The address that says why the balance was that then."""
    undone: Undoing | None
    date: Part = ""
    """The day by the campaign's calendar; empty where time has not moved there."""


def statement_path(campaign: VisibleCampaign, account: str, at: int | None = None) -> str:
    """Where the statement of an account is, as of a seq if that is not now."""
    when = "" if at is None else f"?at={at}"
    return f"{campaign_path(campaign)}/money/{quote(account, safe=':')}{when}"


def balance_why(campaign: VisibleCampaign, account: str, currency: str, at: int | None = None) -> str:
    """The address that says why an account holds what it does of a currency, as of a seq if that is not now."""
    when = {} if at is None else {"at": at}
    return f"{statement_path(campaign, account)}/why?{urlencode({'currency': currency, **when})}"


def account_link(campaign: VisibleCampaign, account: str, at: int | None = None) -> AccountLink:
    """The way to the statement of an account."""
    return AccountLink(statement_path(campaign, account, at), account_title(account, campaign.name))


def accounts_of(campaign: VisibleCampaign, owner: str, at: int | None = None) -> list[AccountLink]:
    """The ways to the statements of a character's accounts."""
    own = [account for account in sorted(campaign.state.balances) if account.rpartition(":")[2] == owner]
    return [
        AccountLink(statement_path(campaign, account, at), title_beside_owner(account, campaign.name))
        for account in own
    ]


def purse(campaign: VisibleCampaign, owner: CharacterId, at: int | None = None) -> list[PurseLine]:
    """All that a character's accounts hold and no sheet keeps, money before things."""
    state = campaign.state
    return [
        PurseLine(currency_name(currency, campaign.name), amount, balance_why(campaign, account, currency, at))
        for is_thing in (False, True)
        for account, balances in sorted(state.balances.items())
        if account.rpartition(":")[2] == owner
        for currency, amount in sorted(balances.items())
        if amount and (currency in state.things) == is_thing and keeper_of(state, account, currency) is None
    ]


class Sentences(Struct, frozen=True):
    """The sentences that explain entries."""

    events: dict[int, str]
    actions: dict[ActionId, str]
    reasons: dict[ActionId, str]

    def of(self, seq: int, action: ActionId) -> str:
        """The sentence of an event; of one that is only book-keeping, those of its action."""
        return self.events.get(seq) or self.actions.get(action, "")


async def sentences_of(
    application: Application, campaign: VisibleCampaign, actions: Iterable[ActionId]
) -> Sentences:
    """The sentences of these actions, as the reader may know them."""
    action_ids = [*dict.fromkeys(actions)]
    rows = await application.log.actions(campaign.campaign_id, action_ids) if action_ids else []
    visible_events = [campaign.read(row) for row in rows if row.seq <= campaign.seq]
    words = await telling(application.log, campaign, (event.event for event in visible_events))

    def in_words(events: list[Any]) -> str:
        return " ".join(narrate(events, words.name, campaign.language, words.quote))

    whole: dict[ActionId, list[Any]] = {}
    for event in visible_events:
        whole.setdefault(event.action_id, []).append(event.event)
    return Sentences(
        {event.seq: in_words([event.event]) for event in visible_events},
        {action: in_words(events) for action, events in whole.items()},
        {event.action_id: reason for event in visible_events if (reason := note_of(event.event))},
    )


class StatementLines:
    """Draws the entries of an account for one reader; `at` is the seq that is read, if that is not now."""

    def __init__(
        self,
        application: Application,
        campaign: VisibleCampaign,
        account: str,
        sessions: Sequence[SessionHeld],
        at: int | None,
    ) -> None:
        self._application = application
        self._campaign = campaign
        self._account = account
        self._sessions = sessions
        self._at = at
        self._dates = CampaignDates(campaign.state, campaign.language)

    async def of(self, entries: Sequence[LedgerEntry]) -> list[EntryLine]:
        """These entries, in the same order."""
        sentences = await sentences_of(self._application, self._campaign, [entry.action_id for entry in entries])
        undoings = await self._undoings_of(entries)
        return [self._line(entry, sentences, undoings) for entry in entries]

    def _line(self, entry: LedgerEntry, sentences: Sentences, undoings: dict[ActionId, Undoing]) -> EntryLine:
        is_in = entry.credit == self._account
        other, is_opening = entry.debit if is_in else entry.credit, entry.debit == ENTERED
        return EntryLine(
            seq=entry.seq,
            path=action_path(self._campaign, entry.seq),
            at=entry.imported_at or entry.at,
            session=self._session(entry.seq),
            told=sentences.of(entry.seq, entry.action_id),
            actor=entry.actor_name or "",
            other=None if is_opening else account_link(self._campaign, other, self._at),
            currency=currency_name(entry.currency, self._campaign.name),
            change=None if is_opening else entry.amount if is_in else -entry.amount,
            balance=entry.balance,
            why=balance_why(self._campaign, self._account, entry.currency, entry.seq),
            undone=undoings.get(entry.action_id),
            date=self._dates.day(entry.game_time),
        )

    def _session(self, seq: int) -> int | None:
        return next((session.number for session in self._sessions if session.first <= seq <= session.last), None)

    async def _undoings_of(self, entries: Sequence[LedgerEntry]) -> dict[ActionId, Undoing]:
        """The actions that undid the actions of these entries."""
        undone_actions = self._campaign.state.undone
        by = {
            entry.action_id: undone_actions[entry.action_id].undone_in
            for entry in entries
            if entry.action_id in undone_actions
        }
        rows = (
            await self._application.log.actions(self._campaign.campaign_id, [*dict.fromkeys(by.values())])
            if by
            else []
        )
        first = {action[0].action_id: action[0].seq for action in by_action(rows)}
        return {
            action: Undoing(first[undoing], action_path(self._campaign, first[undoing]))
            for action, undoing in by.items()
            if undoing in first
        }
