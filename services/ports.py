"""What the service needs from the outside world, in its own words. `services.wiring` fits the real things in.

What accountants need stands in `services.books`, what is left to erase in `services.account_erasures`.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol
from uuid import UUID

from domain.asked import Role
from domain.dice import Dice
from domain.dice.seeds import EpochSeeds
from domain.ids import AccountId, ActionId, CampaignId
from domain.stored import (
    Backlog,
    Chunk,
    DueTimer,
    Head,
    KeptTimer,
    KeyedAnswer,
    Outcome,
    StoredEvent,
    StoredFact,
    Timer,
    UnsealedEvent,
)
from domain.stored_views import Progress, StoredFold, ViewRow


class EventLog(Protocol):
    """Append-only campaigns. Every method may raise `domain.stored.DatabaseAway`."""

    async def append(self, chunks: list[Chunk]) -> list[Outcome]:
        """Write what can be written, in one transaction; one outcome per chunk, in order."""
        ...

    async def head(self, campaign_id: CampaignId) -> Head | None:
        """Where the campaign's log ends, or None if there is no such campaign."""
        ...

    async def since(self, campaign_id: CampaignId, after: int) -> tuple[Head, list[StoredEvent]] | None:
        """The head and all events after a seq, as of one moment; None if there is no such campaign."""
        ...

    async def tail(
        self, campaign_id: CampaignId, after: int, limit: int | None = None, upto: int | None = None
    ) -> list[StoredEvent]:
        """Events after a seq, oldest first."""
        ...

    async def unsealed(
        self, campaign_id: CampaignId, after: int, limit: int, upto: int | None = None
    ) -> list[UnsealedEvent]:
        """At most `limit` events after a seq, oldest first: what followers need of them."""
        ...

    def facts(self, campaign_id: CampaignId) -> AsyncIterator[list[StoredFact]]:
        """What folding needs of all events, page by page: the quickest way through a long past."""
        ...

    def stream(self, campaign_id: CampaignId, after: int = 0) -> AsyncIterator[list[StoredEvent]]:
        """All events after a seq in batches, for logs that are too long to hold."""
        ...

    async def action(self, campaign_id: CampaignId, action_id: ActionId) -> list[StoredEvent]:
        """The events of one action."""
        ...

    async def actions(self, campaign_id: CampaignId, action_ids: list[ActionId]) -> list[StoredEvent]:
        """The events of several actions, in order."""
        ...

    async def rewrites(self, campaign_id: CampaignId, upto: int) -> list[StoredEvent]:
        """The undos and redos up to a seq, in order."""
        ...

    async def hidden(self, campaign_id: CampaignId) -> list[str]:
        """Every visibility but `all` that events of the campaign have; mostly none."""
        ...

    async def seq_at(self, campaign_id: CampaignId, moment: int) -> int:
        """The last seq that happened at a moment (microseconds UTC) or before it; 0: there is none.

        What was brought over from another campaign happened when it was recorded first.
        """
        ...

    async def answers_to(
        self, campaign_id: CampaignId, keys: Sequence[tuple[AccountId, str]]
    ) -> list[KeyedAnswer]:
        """What those of these keys stand for that are known; nothing for an account that is no member."""
        ...

    async def answers_about(self, campaign_id: CampaignId, seqs: list[int]) -> list[KeyedAnswer]:
        """The kept answers that may tell of any of these events."""
        ...

    async def answers_saying(
        self, campaign_id: CampaignId, said: bytes, after: tuple[AccountId, str], limit: int
    ) -> list[KeyedAnswer]:
        """Kept answers that hold some bytes, in the order of account and key, those after one of them."""
        ...

    async def replace_answer(self, campaign_id: CampaignId, before: KeyedAnswer, answer: bytes) -> bool:
        """Give another answer from now on; False: it is not what it was before."""
        ...

    async def trim_answers(
        self, campaign_id: CampaignId, before: int, after: tuple[AccountId, str], limit: int
    ) -> tuple[AccountId, str] | None:
        """Let go of answers to actions recorded before a moment; the last of `limit` keys, if there were any."""
        ...

    async def forget_answers(self, campaign_id: CampaignId, account_id: AccountId) -> None:
        """Keep no answers to an account any more."""
        ...

    async def written(
        self, campaign_id: CampaignId, after: int, limit: int, actor: AccountId | None = None
    ) -> list[StoredEvent]:
        """Events after a seq that have personal texts; of one account's and of nobody's, if it is given."""
        ...

    async def is_purged(self, campaign_id: CampaignId) -> bool:
        """Whether there was a campaign of this id that is gone for good."""
        ...

    async def sealed_seeds(self, campaign_id: CampaignId, epoch: int) -> bytes | None:
        """The seeds of one dice epoch, encrypted."""
        ...

    async def campaigns_of(
        self, account_id: AccountId, after: CampaignId | None = None, limit: int = 100
    ) -> list[tuple[CampaignId, Role]]:
        """The campaigns an account is a member of, ordered by id."""
        ...

    async def led_alone(self, account_id: AccountId, limit: int) -> list[CampaignId]:
        """Campaigns with other members of which the account is the only GM, ordered by id."""
        ...

    async def now(self) -> int:
        """The database's clock in microseconds UTC."""
        ...


class ViewStore(Protocol):
    """Stored views: folds per audience and lists of rows. Every method may raise `domain.stored.DatabaseAway`."""

    async def fold(self, campaign_id: CampaignId, audience: str) -> StoredFold | None:
        """The stored fold for one audience."""
        ...

    async def folds(self, campaign_id: CampaignId) -> list[StoredFold]:
        """All stored folds of a campaign."""
        ...

    async def fold_before(
        self, campaign_id: CampaignId, audience: str, form: str, upto: int, unusable: Sequence[tuple[int, int]]
    ) -> StoredFold | None:
        """The newest fold up to a seq and in none of the unusable ranges, first and last seq included."""
        ...

    async def caught_up(self, campaign_id: CampaignId) -> int:
        """The seq up to which everything is stored."""
        ...

    async def erasures(self, campaign_id: CampaignId) -> int:
        """How often something was erased in a campaign."""
        ...

    async def save(
        self,
        campaign_id: CampaignId,
        caught_up: tuple[int, int],
        folds: list[StoredFold],
        rows: Mapping[str, list[ViewRow]],
        *,
        keep: bool = False,
        erasures: int = 0,
    ) -> bool:
        """Store what was folded from one seq to another, `rows` by audience; False: somebody was faster.

        With `keep`, `fold_before` finds the folds from now on. False, too, if there are more `erasures` by now.
        """
        ...

    async def rows(
        self,
        campaign_id: CampaignId,
        audience: str,
        form: str,
        view: str,
        *,
        after: int,
        upto: int,
        limit: int,
        keys: Sequence[str] = (),
    ) -> tuple[int, list[ViewRow]]:
        """Up to which seq a list is stored in a form (0: it is not), and a page of it, both of one moment.

        The page holds the rows with `after` < seq ≤ `upto` that carry all of `keys`, in order.
        """
        ...

    async def behind(self, first: UUID, limit: int, *, events: int = 1, quiet: int = 0) -> list[CampaignId]:
        """Campaigns, from an id on, whose views are so far behind, or less and quiet for so many microseconds."""
        ...

    async def of_another_form(self, form: str, limit: int) -> list[CampaignId]:
        """Some campaigns that are not behind, but stored in another form than this."""
        ...

    async def campaigns(self, after: UUID, limit: int) -> list[CampaignId]:
        """All campaigns, after an id."""
        ...

    async def progress(self, form: str) -> Progress:
        """How far behind everything is, for whoever reads this form."""
        ...

    async def forget(self, campaign_id: CampaignId) -> None:
        """Take back what is stored of a campaign, so that it is folded anew."""
        ...

    async def renew(self, campaign_id: CampaignId, form: str) -> bool:
        """The same, unless it is stored in this form, or is being folded in it; whether it was taken back."""
        ...


class Timers(Protocol):
    """What campaigns owe themselves, as appends wrote it. Every method may raise `DatabaseAway`."""

    async def claim(self, limit: int) -> tuple[int, list[DueTimer]]:
        """Take what is due, oldest first, and the database's clock (microseconds UTC; 0 where nothing is due)."""
        ...

    async def of(self, campaign_id: CampaignId) -> list[KeptTimer]:
        """All timers of a campaign."""
        ...

    async def failed(self, campaign_id: CampaignId, cause: ActionId, subject: str, error: str) -> int:
        """Count a failure; how often it failed so far (0: there is no such timer, or it is parked already)."""
        ...

    async def retry(self, campaign_id: CampaignId, cause: ActionId, subject: str) -> bool:
        """Let a timer that failed be tried again at once; False: it is not there, or did not fail."""
        ...

    async def replace(self, campaign_id: CampaignId, seq: int, timers: list[Timer]) -> bool:
        """Make a campaign's timers these; False: its log does not end at `seq` any more."""
        ...

    async def backlog(self) -> Backlog:
        """What should have happened by now, and what is parked."""
        ...


class Clock(Protocol):
    """The service's clock."""

    def __call__(self) -> int:
        """Microseconds UTC."""
        ...


class DiceCup(Protocol):
    """Where the server's dice come from until a campaign's first epoch has begun."""

    def __call__(self) -> Dice:
        """A fresh source of dice for one command."""
        ...


class Vault(Protocol):
    """Encrypts what must not be read in the database."""

    def seal(self, seeds: EpochSeeds) -> bytes:
        """The seeds of one epoch as they may be stored."""
        ...

    def opened(self, campaign_id: CampaignId, epoch: int, sealed: bytes) -> EpochSeeds | None:
        """What was sealed for this epoch; None: it was sealed with another key, or for another."""
        ...


class HeadShelf(Protocol):
    """Remembers heads outside the database."""

    def campaigns(self) -> Iterable[CampaignId]:
        """The campaigns of which a head was kept."""
        ...

    def last(self, campaign_id: CampaignId) -> Head | None:
        """The newest head that was kept."""
        ...

    def keep(self, heads: Mapping[CampaignId, Head]) -> None:
        """Keep those that are newer. Raises OSError."""
        ...

    def forget(self, campaign_id: CampaignId) -> None:
        """Keep nothing of a campaign any more."""
        ...


class Signer(Protocol):
    """Signs in the service's name."""

    @property
    def public_key(self) -> bytes:
        """What its signatures are checked with."""
        ...

    def sign(self, content: bytes) -> bytes:
        """The signature of some bytes."""
        ...


class Entropy(Protocol):
    """Random bytes and ids that nobody can guess."""

    def salts(self) -> bytes:
        """32 random bytes."""
        ...

    def new_id(self) -> UUID:
        """A random UUID."""
        ...


class Bell(Protocol):
    """Tells whoever listens, in any process, that a campaign has news. Losing a ring only delays."""

    def ring(self, campaign_id: CampaignId) -> None:
        """Say that there is news. Never waits, never fails."""
        ...

    def listen(self, campaign_id: CampaignId) -> AbstractAsyncContextManager["Listening"]:
        """Be told of news from here on."""
        ...


class Listening(Protocol):
    """Somebody's ear at the bell of one campaign."""

    @property
    def hears_all(self) -> bool:
        """Whether rings of other processes arrive at the moment; if not, look for news yourself every second."""
        ...

    async def wait(self, seconds_max: float) -> bool:
        """Until the next ring, or until the time is up; whether it rang, which it may also do for nothing."""
        ...


class NameBook(Protocol):
    """How people are called."""

    async def names(self, ids: Iterable[AccountId]) -> dict[AccountId, str]:
        """Names by account; unknown accounts are left out."""
        ...
