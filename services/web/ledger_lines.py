"""Entries of one account as a statement shows them: when, what happened, with whom, how much, what was left."""

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from msgspec import Struct

from domain.campaign.evolve import ENTERED
from domain.ids import ActionId
from domain.sentences import Part, Sentence, term
from projections.campaign.account_names import account_title, title_beside_owner
from projections.campaign.ledger import LedgerEntry, note_of
from projections.narration import told
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.queries.event_scan import by_action
from services.queries.play_session import SessionHeld
from services.queries.quotation import telling
from services.web.campaign_page import campaign_path
from services.web.chronicle_lines import action_path


class AccountLink(Struct, frozen=True):
    """An account by its name, and the way to its statement."""

    path: str
    title: str | Sentence


class Undoing(Struct, frozen=True):
    """The action that undid another: its number and its page."""

    seq: int
    path: str


class EntryLine(Struct, frozen=True):
    """An entry of an account. `change` is None where the account came into play with what it held.

    `other` is the account that it came from or went to, None where that is none. `session` is the number of the
    play session, None between two. `why` is the address that says why the balance was that then.
    """

    seq: int
    path: str
    at: str
    session: int | None
    told: str
    actor: str
    other: AccountLink | None
    currency: Part
    change: int | None
    balance: int | None
    why: str
    undone: Undoing | None


def statement_path(seen: VisibleCampaign, account: str, at: int | None = None) -> str:
    """Where the statement of an account is, as of a seq if that is not now."""
    when = "" if at is None else f"?at={at}"
    return f"{campaign_path(seen)}/money/{quote(account, safe=':')}{when}"


def balance_why(seen: VisibleCampaign, account: str, currency: str, at: int | None = None) -> str:
    """The address that says why an account holds what it does of a currency, as of a seq if that is not now."""
    when = {} if at is None else {"at": at}
    return f"{statement_path(seen, account)}/why?{urlencode({'currency': currency, **when})}"


def account_link(seen: VisibleCampaign, account: str, at: int | None = None) -> AccountLink:
    """The way to the statement of an account."""
    return AccountLink(statement_path(seen, account, at), account_title(account, seen.name))


def accounts_of(seen: VisibleCampaign, owner: str, at: int | None = None) -> list[AccountLink]:
    """The ways to the statements of a character's accounts."""
    own = [each for each in sorted(seen.state.balances) if each.rpartition(":")[2] == owner]
    return [AccountLink(statement_path(seen, each, at), title_beside_owner(each, seen.name)) for each in own]


class Sentences(Struct, frozen=True):
    """What happened: the sentence of each event that has one, those of its whole action, and why by its words."""

    events: dict[int, str]
    actions: dict[ActionId, str]
    reasons: dict[ActionId, str]

    def of(self, seq: int, action: ActionId) -> str:
        """The sentence of an event; of one that is only book-keeping, those of its action."""
        return self.events.get(seq) or self.actions.get(action, "")


async def sentences_of(application: Application, seen: VisibleCampaign, actions: Iterable[ActionId]) -> Sentences:
    """What happened in these actions, as the reader may know it."""
    wanted = [*dict.fromkeys(actions)]
    rows = await application.log.actions(seen.campaign_id, wanted) if wanted else []
    read = [seen.read(row) for row in rows if row.seq <= seen.seq]
    words = await telling(application.log, seen, (each.event for each in read))

    def in_words(events: list[Any]) -> str:
        return " ".join(told(events, words.name, seen.language, words.quote))

    whole: dict[ActionId, list[Any]] = {}
    for each in read:
        whole.setdefault(each.action_id, []).append(each.event)
    return Sentences(
        {each.seq: in_words([each.event]) for each in read},
        {action: in_words(events) for action, events in whole.items()},
        {each.action_id: reason for each in read if (reason := note_of(each.event))},
    )


class StatementLines:
    """Draws the entries of an account for one reader; `at` is the seq that is read, if that is not now."""

    def __init__(
        self,
        application: Application,
        seen: VisibleCampaign,
        account: str,
        sessions: Sequence[SessionHeld],
        at: int | None,
    ) -> None:
        self._application = application
        self._seen = seen
        self._account = account
        self._sessions = sessions
        self._at = at

    async def of(self, entries: Sequence[LedgerEntry]) -> list[EntryLine]:
        """These entries, in the same order."""
        sentences = await sentences_of(self._application, self._seen, [each.action_id for each in entries])
        undone = await self._undone(entries)
        return [self._line(each, sentences, undone) for each in entries]

    def _line(self, each: LedgerEntry, sentences: Sentences, undone: dict[ActionId, Undoing]) -> EntryLine:
        is_in = each.credit == self._account
        other, entered = each.debit if is_in else each.credit, each.debit == ENTERED
        return EntryLine(
            seq=each.seq,
            path=action_path(self._seen, each.seq),
            at=each.imported_at or each.at,
            session=self._session(each.seq),
            told=sentences.of(each.seq, each.action_id),
            actor=each.actor_name or "",
            other=None if entered else account_link(self._seen, other, self._at),
            currency=term(each.currency),
            change=None if entered else each.amount if is_in else -each.amount,
            balance=each.balance,
            why=balance_why(self._seen, self._account, each.currency, each.seq),
            undone=undone.get(each.action_id),
        )

    def _session(self, seq: int) -> int | None:
        return next((each.number for each in self._sessions if each.first <= seq <= each.last), None)

    async def _undone(self, entries: Sequence[LedgerEntry]) -> dict[ActionId, Undoing]:
        """What undid the actions of these entries."""
        undone = self._seen.state.undone
        by = {each.action_id: undone[each.action_id].undone_in for each in entries if each.action_id in undone}
        rows = (
            await self._application.log.actions(self._seen.campaign_id, [*dict.fromkeys(by.values())])
            if by
            else []
        )
        first = {action[0].action_id: action[0].seq for action in by_action(rows)}
        return {
            action: Undoing(first[undoing], action_path(self._seen, first[undoing]))
            for action, undoing in by.items()
            if undoing in first
        }
