"""The command line. Each command is a file of its own, imported when it is called."""

import importlib.metadata
import os
import sys
from collections.abc import Callable
from functools import partial

from services.cli.errors import EXIT_BAD_SETTING, EXIT_INTERRUPTED, EXIT_UNREAD, Refused
from services.settings import SettingsInvalid

# Name and line of help; `rebuild-views` is the function rebuild_views of the module services.cli.rebuild_views.
COMMANDS: dict[str, str] = {
    "up": "Start everything, on embedded engines unless settings name others.",
    "serve": "Serve the HTTP API from a database that is migrated already.",
    "worker": "Keep stored views and post what is owed, on a database that is migrated already.",
    "migrate": "Bring the database's schema up to date, as its owner.",
    "demo": "Play a recorded campaign over HTTP and show what came of it.",
    "export": "Write a campaign to a file that anybody can verify.",
    "chronicle": "Write a campaign's chronicle as Markdown notes or plain text.",
    "ledger": "Write a campaign's ledger for hledger, Beancount or a spreadsheet.",
    "import": "Make a new campaign of a file that was exported.",
    "verify": "Read a campaign's whole log, or an export, again: every hash, and every die whose seed is public.",
    "calendar": "Read a calendar file of another tool, and say what was understood and what was left out.",
    "backup": "Write a verified backup of everything, beside a running service.",
    "restore": "Fill an empty home or database with a backup.",
    "accept-restore": "Go on from logs that were restored from a backup, with new dice; or list those that wait.",
    "account": "Make, list, disable and delete accounts, and print links to new passwords.",
    "campaign": "List, export, archive, delete and restore campaigns.",
    "audit": "List what hosts did upon accounts and campaigns by the command line.",
    "purge": "Delete campaigns for good whose GMs deleted them, when their grace is over.",
    "rebuild-views": "Rebuild stored views and timers from the log, of one campaign or of all.",
    "bench": "Measure Fieldlog on this machine against floors of the same run.",
    "doctor": "Say what is found here, and what is broken.",
}

PLAIN = {"up": ("lan",), "serve": ("with_worker",)}
"""Commands that run for as long as the service does, and their switches: with no other words they do without the
library that reads command lines, which stays in memory with 5 MiB.
"""


def _plain_command(words: list[str]) -> Callable[[], int] | None:
    """The command that these words are, with its switches, if it needs no more to be read."""
    name, *switches = words or [""]
    by_word = {f"--{switch.replace('_', '-')}": switch for switch in PLAIN.get(name, ())}
    if name not in PLAIN or not set(switches) <= set(by_word):
        return None
    command = getattr(importlib.import_module(f"services.cli.{name}"), name)
    return partial(command, **{by_word[word]: True for word in switches})


def _command_line() -> Callable[[], None]:
    """Reads all commands."""
    import cyclopts  # noqa: PLC0415 - as said of PLAIN

    app = cyclopts.App(
        name="fieldlog",
        version=lambda: importlib.metadata.version("fieldlog"),
        help="An event-sourced campaign service for long tabletop campaigns: play, audit, undo.",
    )
    for name, line in COMMANDS.items():
        function = "import_file" if name == "import" else name.replace("-", "_")  # a word of Python's own
        command = f"services.cli.{function}:{function}"
        if name in PLAIN:  # they name no library for their parameters: switches are only ever set
            app.command(command, name=name, help=line, default_parameter=cyclopts.Parameter(negative=()))
        else:
            app.command(command, name=name, help=line)
    return app


def main() -> None:
    """Run the command line and exit: 0 when all is well, else with a sentence on stderr."""
    try:
        try:
            command = _plain_command(sys.argv[1:])
            if command is None:
                _command_line()()
            else:
                sys.exit(command())
        except Refused as refused:
            _leave(str(refused), refused.exit_code)
        except SettingsInvalid as invalid:
            _leave(str(invalid), EXIT_BAD_SETTING)
        finally:
            sys.stdout.flush()  # here, where a reader that has gone can still be told from a defect
    except BrokenPipeError:
        # The rest of the buffer goes nowhere, so that Python's own flush at the end does not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_UNREAD)
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)


def _leave(sentence: str, exit_code: int) -> None:
    from domain.one_line import with_controls_written  # noqa: PLC0415 - mostly nothing is to be told

    sys.stdout.flush()
    lines = "\n".join(map(with_controls_written, sentence.split("\n")))
    print(f"fieldlog: {lines}", file=sys.stderr, flush=True)  # noqa: T201 - a command line speaks by printing
    sys.exit(exit_code)
