"""What the demo prints: the story as it goes, then sheets, money, and where to look further."""

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from services.cli.demo.boards import board_tables
from services.cli.demo.recording import Recording
from services.cli.demo.sheets import Drawn, tables
from services.cli.demo.story import Acted, Checked, Compared, Copied, Happening, Shown, Story, Told, Waited

WIDTH_PIPED = 110
CHANGES_SHOWN_MAX = 12
OUTCOME_STYLES = {
    "critical": "bold green",
    "hit": "green",
    "miss": "yellow",
    "fumble": "bold red",
    "greater": "bold green",
    "basic": "green",
    "failure": "yellow",
}
"""How the outcomes of tests look, in the words of any rule system; others stand out by nothing."""


class Pages:
    """Prints for a terminal, with colours and a bar that moves, or plainly into a file."""

    def __init__(self) -> None:
        self._console = Console(
            width=None if sys.stdout.isatty() else WIDTH_PIPED, highlight=False, markup=False, emoji=False
        )
        self._bar: Progress | None = None
        self._count = 0

    def say(self, text: str = "") -> None:
        """Print a line as it is."""
        self._console.print(text)

    def recordings(self, found: dict[str, Recording]) -> None:
        """Print which campaigns can be played."""
        for name, recording in found.items():
            self._console.print(f"{name:<14}{recording.title.title}, {recording.commands} commands")

    def title(self, recording_title: str, blurb: str, commands: int, base: str) -> None:
        """Print what is going to be played, and where."""
        self._count = commands
        self._console.print(Text(f"\n{recording_title}", style="bold"))
        self._console.print(Text(blurb, style="italic"))
        self._console.print(f"{commands} commands, played on {base}")

    @contextlib.contextmanager
    def progress(self) -> Iterator[None]:
        """Keep a bar below the story at a terminal; elsewhere the numbers of the commands say it all."""
        if not self._console.is_terminal:
            yield
            return
        columns = (TextColumn("command"), MofNCompleteColumn(), BarColumn(), TimeElapsedColumn())
        with Progress(*columns, console=self._console, transient=True) as self._bar:
            self._bar.add_task("commands", total=self._count)
            yield
        self._bar = None

    def show(self, happening: Happening) -> None:
        """Print one thing that happened."""
        match happening:
            case Told(text, heading=True):
                self._console.print(Text(f"\n── {text} ", style="bold cyan"))
            case Told(text):
                self._console.print(Text(f"\n{text}", style="italic"))
            case Acted():
                self._acted(happening)
            case Shown():
                self._shown(happening)
            case Copied():
                self._copied(happening)
            case Compared():
                self._compared(happening)
            case Waited(came, seconds):
                end = (
                    f"after {seconds:.1f} s" if came else f"not within {seconds:.0f} s; the story goes on without"
                )
                self._console.print(Text(f"A worker posted the payouts {end}" if came else f"Payouts: {end}"))
            case Checked(with_payouts):
                self._paid(with_payouts)

    def outcome(self, story: Story) -> None:
        """Print every sheet, the boards that show how it ended, and the ledger; nothing that is empty."""
        gm = story.recording.title.gm
        sheets = [table for system, drawn in _sheets(story, gm).items() for table in tables(system, drawn)]
        accounts = story.get(gm, "/ledger/accounts")["accounts"]
        self._chapter("The sheets", sheets)
        self._chapter("The boards", _boards(story, gm))
        self._chapter("The money", [_money(accounts)] if accounts else [])

    def _chapter(self, heading: str, shown: list[Table]) -> None:
        """Print tables under a heading, if there are any."""
        if shown:
            self._console.print(Text(f"\n── {heading} ", style="bold cyan"))
        for table in shown:
            self._console.print(table)

    def farewell(self, story: Story, base: str, seconds: float, *, is_temporary: bool) -> None:
        """Print how long it took, and where to look further."""
        told = story.get(story.recording.title.gm)
        self._console.print(
            f"\n{self._count} commands in {seconds:.1f} s made {told['as_of']} events, hash-chained and kept "
            f"for good, in campaign {story.campaign_id}."
        )
        if is_temporary:
            self._console.print(
                "The service was a temporary one and goes now. To keep a campaign, start ./run in another "
                "terminal and play the demo again."
            )
            return
        campaign = f"{base}/api/campaigns/{story.campaign_id}"
        gm = story.recording.title.gm
        self._console.print(
            f"It stays on {base}. Look around as {story.name(gm)}, who is its GM:\n\n"
            f"  token={story.tokens[gm]}\n"
            f'  curl -H "Authorization: Bearer $token" "{campaign}/actions?limit=20"\n'
            f'  curl -H "Authorization: Bearer $token" {campaign}/sheets\n'
            f'  curl -H "Authorization: Bearer $token" {campaign}/ledger/entries\n\n'
            f"Everything else there is to ask: {base}/api/docs",
            soft_wrap=True,
        )

    def _shown(self, shown: Shown) -> None:
        """What an undo would do, before it is done."""
        self._line(shown.number, shown.who, Text(f"looks what it would {shown.what}", style="cyan"))
        for action in shown.actions:
            self._console.print(Text(f"{'':18}{action}", style="cyan"))
        for change in shown.changes[:CHANGES_SHOWN_MAX]:
            self._console.print(Text(f"{'':18}{change}", style="dim"))
        if len(shown.changes) > CHANGES_SHOWN_MAX:
            self._console.print(f"{'':18}… and {len(shown.changes) - CHANGES_SHOWN_MAX} fields more")

    def _copied(self, copied: Copied) -> None:
        """The same undo in a copy: what went there, and that the rest is as it is here."""
        self._console.print(Text(f"A copy of {copied.events} events, and the same undo in it:", style="cyan"))
        for line in copied.gone:
            self._console.print(Text(f"{'':18}{line}", style="cyan"))
        self._console.print(
            f"The same goes as here, and the same stays: {copied.sheets} sheets and {copied.balances} balances "
            "are alike."
        )

    def _compared(self, compared: Compared) -> None:
        """What people read of the same actions, side by side; what one of them may not read stands out."""
        table = Table(title="What each of them reads", title_justify="left", show_lines=True)
        for who in compared.read:
            table.add_column(who.capitalize(), ratio=1)
        for texts in zip(*compared.read.values(), strict=True):
            parted = len({*texts}) > 1
            table.add_row(*(Text(each, style="magenta" if parted else "") for each in texts))
        self._console.print(table)

    def _acted(self, acted: Acted) -> None:
        if acted.code is not None:
            came = Text(f"refused: {'. '.join(acted.sentences)} ({acted.code})", style="red")
        else:
            came = Text(". ".join(acted.sentences), style=OUTCOME_STYLES.get(acted.outcome or "", ""))
            if acted.hidden:
                came.append(" [only the GM can read this]", style="magenta")
        self._line(acted.number, acted.who, came)

    def _line(self, nth: int, who: str, came: Text) -> None:
        """One numbered line of what somebody did."""
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=nth)
        number = Text(f"{nth:4}/{self._count}  ", style="dim")
        number.append(f"{who.capitalize():<7}", style="bold")
        line = Table.grid()  # so that what does not fit goes on below its own beginning
        line.add_column(no_wrap=True)
        line.add_column()
        line.add_row(number, came)
        self._console.print(line)

    def _paid(self, with_payouts: bool) -> None:
        missions = "a worker has posted" if with_payouts else "no worker has posted yet"
        self._console.print(f"\nEvery credit is where the recording has it; what the missions pay, {missions}.")


def _sheets(story: Story, gm: str) -> dict[str, list[Drawn]]:
    """Every sheet, by rule system."""
    found: dict[str, list[Drawn]] = {}
    for entry in story.get(gm, "/sheets")["sheets"]:
        sheet = story.get(gm, f"/sheets/{entry['character']}")["sheet"]
        found.setdefault(entry["system"], []).append(Drawn(sheet, entry["player_name"] or "the GM"))
    return found


def _boards(story: Story, gm: str) -> list[Table]:
    """What the boards show that the demo knows how to lay out."""
    listed = story.get(gm, "/boards")["boards"]
    drawn = [story.get(gm, f"/boards/{entry['system']}/{entry['board']}") for entry in listed]
    return [table for each in drawn for table in board_tables(each)]


def _money(accounts: list[dict[str, Any]]) -> Table:
    table = Table(title="Balances (every currency adds up to zero)", title_justify="left")
    table.add_column("account")
    table.add_column("currency")
    table.add_column("balance", justify="right")
    for account in accounts:
        table.add_row(account["name"], account["currency"].replace("_", " "), str(account["balance"]))
    for currency in sorted({account["currency"] for account in accounts}):
        total = sum(account["balance"] for account in accounts if account["currency"] == currency)
        table.add_row("together", currency.replace("_", " "), str(total), style="dim")
    return table
