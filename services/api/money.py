"""`…/ledger`: where currency is, and where it came from."""

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from msgspec import Struct

from projections.ledger import AccountBalance, LedgerEntry, account_balances
from services.api.paths import LIMIT_DEFAULT, AfterQuery, AtQuery, LimitQuery, campaign_of, moment_of
from services.api.roles import MEMBERS
from services.history import entries_page
from services.house import House
from services.people import Principal


class AccountsPage(Struct, frozen=True):
    """Every account of the ledger; the balances of one currency always add up to zero."""

    as_of: int
    accounts: list[AccountBalance]


class EntriesPage(Struct, frozen=True):
    """Entries, oldest first. `next_after` goes into the next request; null where the ledger ends."""

    as_of: int
    entries: list[LedgerEntry]
    next_after: int | None


class LedgerController(Controller):
    """The campaign's money, as double entry."""

    path = "/api/campaigns/{campaign_id:str}/ledger"
    tags = ("money",)

    @get("/accounts", summary="Balances", operation_class=MEMBERS)
    async def accounts(
        self,
        house: NamedDependency[House],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        at: AtQuery = None,
    ) -> AccountsPage:
        """What each account holds."""
        seen = await house.reading.see(campaign_of(campaign_id), principal.account_id, moment_of(at))
        return AccountsPage(seen.seq, account_balances(seen.state, seen.name))

    @get("/entries", summary="Entries", operation_class=MEMBERS)
    async def entries(
        self,
        house: NamedDependency[House],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        account: FromQuery[str | None] = None,
        after: AfterQuery = 0,
        limit: LimitQuery = LIMIT_DEFAULT,
        at: AtQuery = None,
    ) -> EntriesPage:
        """Every move of currency with its reason and the action behind it."""
        seen = await house.reading.see(campaign_of(campaign_id), principal.account_id, moment_of(at))
        entries, next_after = await entries_page(house.log, house.views, seen, account, after, limit)
        return EntriesPage(seen.seq, entries, next_after)
