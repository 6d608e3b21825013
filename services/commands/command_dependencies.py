"""The parts of the application that are needed to submit a command."""

from services.campaign.storage_quotas import Quotas
from services.commands.command_handler import CommandHandler
from services.ports.clock_and_randomness import Entropy
from services.reading.read_dependencies import Readers


class CommandParts(Readers, frozen=True, kw_only=True):
    """The command handler, and the parts that prepare a command for it."""

    handler: CommandHandler
    entropy: Entropy
    quotas: Quotas
