"""The demo's output: the story as it goes, then sheets, money, and where to look further."""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from domain.campaign.calendar_shapes import CalendarShape
from projections.sheet_page import Telling
from projections.word_list import WordList
from services.cli.demo.printed_sheets import sheet_text
from services.cli.demo.recording import Recording
from services.cli.demo.story import (
    Happening,
    LedgerCheck,
    PayoutWait,
    ReaderComparison,
    Story,
    StoryAction,
    StoryLine,
    UndoOfCopy,
    UndoPreview,
)

View = tuple[str, dict[str, Any], dict[str, str]]
"""A sheet or a board, by the struct that it is, with the names of the ids in it."""

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


class _Console(Console):
    """A console that leaves it to the command line what happens when its reader has gone."""

    def on_broken_pipe(self) -> None:
        raise  # noqa: PLE0704 — called where the error is handled


class Pages:
    """Prints for a terminal, with colours and a bar that moves, or plainly into a file."""

    def __init__(self) -> None:
        self._console = _Console(
            width=None if sys.stdout.isatty() else WIDTH_PIPED, highlight=False, markup=False, emoji=False
        )
        self._bar: Progress | None = None
        self._count = 0

    def say(self, text: str = "") -> None:
        """Print a line as it is."""
        self._console.print(text)

    def recordings(self, recordings: dict[str, Recording]) -> None:
        """Print which campaigns can be played."""
        for name, recording in recordings.items():
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
            case StoryLine(text, heading=True):
                self._console.print(Text(f"\n── {text} ", style="bold cyan"))
            case StoryLine(text):
                self._console.print(Text(f"\n{text}", style="italic"))
            case StoryAction():
                self._acted(happening)
            case UndoPreview():
                self._preview(happening)
            case UndoOfCopy():
                self._copied(happening)
            case ReaderComparison():
                self._compared(happening)
            case PayoutWait(came, seconds):
                end = (
                    f"after {seconds:.1f} s" if came else f"not within {seconds:.0f} s; the story goes on without"
                )
                self._console.print(Text(f"A worker posted the payouts {end}" if came else f"Payouts: {end}"))
            case LedgerCheck(with_payouts):
                self._paid(with_payouts)

    def outcome(self, story: Story) -> None:
        """Print every sheet, the boards that show how it ended, and the ledger; nothing that is empty."""
        gm = story.recording.title.gm
        accounts = story.get(gm, "/ledger/accounts")["accounts"]
        words = msgspec.convert(story.words(), WordList)
        calendar = _calendar(story.get(gm))
        for heading, views in (
            ("The sheets", _sheets(story, gm, words)),
            ("The boards", _boards(story, gm, words)),
        ):
            sheets = (sheet_text(words, struct, view, Telling(names, calendar)) for struct, view, names in views)
            self._chapter(heading, [part for sheet in sheets for part in sheet])
        self._chapter("The money", [_money(accounts)] if accounts else [])

    def _chapter(self, heading: str, tables: Sequence[Table | Text]) -> None:
        """Print lines and tables under a heading, if there are any."""
        if tables:
            self._console.print(Text(f"\n── {heading} ", style="bold cyan"))
        for table in tables:
            self._console.print(table)

    def farewell(self, story: Story, base: str, seconds: float, join: str | None) -> None:
        """Print how long it took, and where to look further; without a link to join by, the service goes now."""
        view = story.get(story.recording.title.gm)
        self._console.print(
            f"\n{self._count} commands in {seconds:.1f} s made {view['as_of']} events, hash-chained and kept "
            f"for good, in campaign {story.campaign_id}."
        )
        if join is None:
            self._console.print(
                "The service was a temporary one and goes now. To keep a campaign, start ./run in another "
                "terminal and play the demo again."
            )
            return
        campaign = f"{base}/api/campaigns/{story.campaign_id}"
        gm = story.recording.title.gm
        self._console.print(
            f"It stays on {base}. To look around in a browser, join it as a player:\n\n"
            f"  {join}\n\n"
            f"Or by the API as {story.name(gm)}, who is its GM:\n\n"
            f"  token={story.tokens[gm]}\n"
            f'  curl -H "Authorization: Bearer $token" "{campaign}/actions?limit=20"\n'
            f'  curl -H "Authorization: Bearer $token" {campaign}/sheets\n'
            f'  curl -H "Authorization: Bearer $token" {campaign}/ledger/entries\n\n'
            f"Everything else there is to ask: {base}/api/docs",
            soft_wrap=True,
        )

    def _preview(self, preview: UndoPreview) -> None:
        """The effects of an undo, before it is done."""
        self._line(preview.number, preview.who, Text(f"looks what it would {preview.what}", style="cyan"))
        for action in preview.actions:
            self._console.print(Text(f"{'':18}{action}", style="cyan"))
        for change in preview.changes[:CHANGES_SHOWN_MAX]:
            self._console.print(Text(f"{'':18}{change}", style="dim"))
        if len(preview.changes) > CHANGES_SHOWN_MAX:
            self._console.print(f"{'':18}… and {len(preview.changes) - CHANGES_SHOWN_MAX} fields more")

    def _copied(self, copied: UndoOfCopy) -> None:
        """The same undo in a copy: the actions that went there, and that the rest is as it is here."""
        self._console.print(Text(f"A copy of {copied.events} events, and the same undo in it:", style="cyan"))
        for line in copied.summary:
            self._console.print(Text(f"{'':18}{line}", style="cyan"))
        self._console.print(
            f"The same goes as here, and the same stays: {copied.sheets} sheets and {copied.balances} balances "
            "are alike."
        )

    def _compared(self, compared: ReaderComparison) -> None:
        """The texts that people read of the same actions, side by side; those hidden from a reader stand out."""
        table = Table(title="What each of them reads", title_justify="left", show_lines=True)
        for who in compared.texts:
            table.add_column(who.capitalize(), ratio=1)
        for texts in zip(*compared.texts.values(), strict=True):
            parted = len({*texts}) > 1
            table.add_row(*(Text(text, style="magenta" if parted else "") for text in texts))
        self._console.print(table)

    def _acted(self, acted: StoryAction) -> None:
        if acted.code is not None:
            came = Text(f"refused: {'. '.join(acted.sentences)} ({acted.code})", style="red")
        else:
            came = Text(". ".join(acted.sentences), style=OUTCOME_STYLES.get(acted.outcome or "", ""))
            if acted.is_hidden:
                came.append(" [only the GM can read this]", style="magenta")
        self._line(acted.number, acted.who, came)

    def _line(self, nth: int, who: str, came: Text) -> None:
        """One numbered line of an action."""
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


def _sheets(story: Story, gm: str, words: WordList) -> list[View]:
    """Every sheet."""
    listed = story.get(gm, "/sheets")["sheets"]
    views = [story.get(gm, f"/sheets/{entry['character']}") for entry in listed if entry["system"] in words.sheets]
    return [(words.sheets[view["system"]], view["sheet"], view["names"]) for view in views]


def _boards(story: Story, gm: str, words: WordList) -> list[View]:
    """The boards that have a layout: those that stand for sheets."""
    listed = [f"{board['system']}/{board['board']}" for board in story.get(gm, "/boards")["boards"]]
    struct_of = {key: words.boards[key].struct for key in listed}
    views = {key: story.get(gm, f"/boards/{key}") for key, struct in struct_of.items() if struct in words.layouts}
    return [(struct_of[key], board, board["names"]) for key, board in views.items()]


def _calendar(campaign: dict[str, Any]) -> CalendarShape:
    """The calendar that the group has set."""
    [calendar] = [setting["value"] for setting in campaign["settings"] if setting["key"] == "campaign.calendar"]
    return msgspec.convert(calendar, CalendarShape)


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
