"""The parts of the application that are needed to erase texts and accounts."""

from services.accounts.authentication import Authenticator
from services.commands.command_dependencies import CommandParts
from services.ports.deletion_store import DeletionStore
from services.ports.erasure_store import AccountErasureStore
from services.ports.saved_roll_store import SavedRollStore


class AccountParts(CommandParts, frozen=True, kw_only=True):
    """The command path, accounts, and where requests for their erasure are kept."""

    people: Authenticator
    account_erasures: AccountErasureStore
    saved_rolls: SavedRollStore
    account_grace_days: int
    deletions: DeletionStore
