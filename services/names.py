"""How ids are called when people read them: accounts, characters, frames, missions."""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from domain.campaign.settings import language_of
from domain.campaign.state import CampaignState
from domain.ids import AccountId
from domain.sentences import say
from domain.systems import SYSTEMS
from projections.languages import render
from services.ports import NameBook

NAMES_KEPT_MAX = 100_000
"""Names of accounts kept in memory, at about a hundred bytes each."""

THE_CAMPAIGN = say("the campaign")
SOMEBODY = say("somebody")
"""Who has no name, or none that was fetched."""


class Names:
    """A small memory of account names over the accounts themselves."""

    def __init__(self, book: NameBook) -> None:
        self._book = book
        self._known: dict[AccountId, str] = {}

    def learn(self, account: AccountId, name: str) -> None:
        """Remember a name that was just read anyway."""
        if len(self._known) >= NAMES_KEPT_MAX:
            self._known.clear()
        self._known[account] = name

    async def fetch(self, accounts: Iterable[AccountId]) -> None:
        """Look up whichever of these are not known yet."""
        unknown = [account for account in accounts if account not in self._known]
        if unknown:
            for account, name in (await self._book.names(unknown)).items():
                self.learn(account, name)

    async def accounts_among(self, ids: Iterable[AccountId]) -> set[AccountId]:
        """Which of these ids are accounts here."""
        return set(await self._book.names(ids))

    def within(self, state: CampaignState) -> Callable[[Any], str]:
        """A function that calls any id in a campaign by its name; what has none is called by its id."""
        language = language_of(state.changed_settings)

        def name(thing: Any) -> str:
            if thing is None:
                return render(THE_CAMPAIGN, language)
            if isinstance(thing, UUID):
                account = AccountId(thing)
                known = self._known.get(account) or state.imported_people.get(account)
                return known or render(SOMEBODY, language)
            for system, inner in state.systems.items():
                found = SYSTEMS[system].name(inner, thing)
                if found is not None:
                    return found
            return str(thing)

        return name
