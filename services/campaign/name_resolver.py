"""The names of ids, as readers may know them: accounts, characters, frames, missions."""

from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any
from uuid import UUID

from domain.campaign.play.characters import own_name, titles
from domain.campaign.settings import language_of
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import ERASED
from domain.ids import AccountId
from domain.sentences import say
from domain.systems import SYSTEMS
from projections.languages import render
from services.ports.account_stores import NameStore

NAMES_KEPT_MAX = 100_000
"""Names of accounts kept in memory, at about a hundred bytes each."""

NAME_SECONDS_MAX = 5.0
"""How long a cached name is used: a deleted account's name disappears after so many seconds."""

THE_CAMPAIGN = say("the campaign")
SOMEBODY = say("somebody")
"""The name of a member whose name was not fetched."""
FORMER = say("a former member")
"""The name of a former member whose account is deleted."""


class NameResolver:
    """A cache of account names. `time` gives seconds."""

    def __init__(self, book: NameStore, time: Callable[[], float] = monotonic) -> None:
        self._book = book
        self._time = time
        self._known: dict[AccountId, str] = {}
        self._fresh: set[AccountId] = set()
        self._fresh_until = time()
        self._generation = 0

    def learn(self, account: AccountId, name: str) -> None:
        """Add a name that was just read."""
        if len(self._known) >= NAMES_KEPT_MAX:
            self._known.clear()
            self._fresh.clear()
            self._generation += 1
        self._known[account] = name
        self._fresh.add(account)

    def relearn(self, account: AccountId, name: str) -> None:
        """Call an account otherwise than before."""
        self.learn(account, name)
        self._generation += 1

    async def fetch(self, accounts: set[AccountId]) -> None:
        """Look up those of these accounts that are not cached or expired; remembers missing ones, too."""
        now = self._time()
        if now >= self._fresh_until:
            self._fresh, self._fresh_until = set(), now + NAME_SECONDS_MAX
            self._generation += 1
        if unknown := accounts - self._fresh:
            names = await self._book.names(unknown)
            for account in unknown:
                self.learn(account, names.get(account, ""))

    @property
    def generation(self) -> int:
        """A number that changes when cached names do; -1: it must be asked for again."""
        return self._generation if self._time() < self._fresh_until else -1

    def are_known_in(self, state: CampaignState) -> bool:
        """Whether the names of all present and former members of a campaign are cached and not expired."""
        return self._time() < self._fresh_until and self._fresh.issuperset((*state.members, *state.former_members))

    async def fetch_all_in(self, state: CampaignState) -> None:
        """Look up the names of all present and former members of a campaign."""
        await self.fetch({*state.members, *state.former_members})

    async def names_of(self, accounts: Iterable[AccountId]) -> dict[AccountId, str]:
        """The names of these accounts as they are now; those that are gone are left out."""
        return await self._book.names(accounts)

    async def accounts_among(self, ids: Iterable[AccountId]) -> set[AccountId]:
        """Those of these ids that are accounts here."""
        return set(await self._book.names(ids))

    def within(self, state: CampaignState, language: str | None = None) -> Callable[[Any], str]:
        """A function that calls any id in a campaign by its name; a thing without one is called by its id.

        It speaks a language, else that of the campaign.
        """
        accounts = titles(state)
        language = language or language_of(state.changed_settings)

        def name(thing: Any) -> str:
            if thing is None:
                return render(THE_CAMPAIGN, language)
            if isinstance(thing, UUID):
                account = AccountId(thing)
                # Names of strangers are not given, even if a member writes down their id.
                is_ours = account in state.members or account in state.former_members
                account_name = (is_ours and self._known.get(account)) or state.imported_people.get(account, ERASED)
                if account_name != ERASED:
                    return account_name
                somebody = SOMEBODY if account in state.members else FORMER
                return render(somebody, language)
            for system, inner in state.systems.items():
                thing_name = SYSTEMS[system].name(inner, thing)
                if thing_name is not None:
                    return thing_name
            own = accounts.get(thing) or own_name(state, thing)
            return str(thing) if own is None else render(own, language)

        return name
