"""What submitting a command needs of the application."""

from services.commands.command_handler import CommandHandler
from services.commands.quotas import Quotas
from services.ports.crypto import Entropy
from services.ports.timer_store import TimerStore
from services.queries.readers import Readers


class CommandParts(Readers, frozen=True, kw_only=True):
    """The command handler, and the parts that prepare a command for it."""

    handler: CommandHandler
    entropy: Entropy
    timers: TimerStore
    quotas: Quotas
