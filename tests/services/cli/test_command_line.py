"""What every command has in common: exit codes, readers that go, terminals that are narrow or want no colours."""

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from services.cli import COMMANDS, errors, progress
from services.cli.progress import Progress
from tests.root import ROOT
from tests.services.processes import environment, eventually

COLOUR = re.compile(r"\x1b\[[0-9;]*(?:3[0-7]|4[0-7]|9[0-7])m")
NARROW = 44


def command(*arguments: str, **options) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - this file's own words
        [sys.executable, "-m", "services.cli", *arguments], cwd=ROOT, stderr=subprocess.PIPE, **options
    )


@pytest.mark.slow
def test_a_reader_that_goes_ends_a_command_without_a_word(tmp_path: Path):
    reading, writing = os.pipe()
    os.close(reading)
    for arguments in (["doctor"], ["demo", "--list"]):
        with command(*arguments, stdout=writing, env=environment(home=str(tmp_path))) as process:
            assert process.stderr is not None
            assert process.stderr.read() == b"", arguments
            assert process.wait() == errors.EXIT_UNREAD, arguments
    os.close(writing)


def at_terminal(*arguments: str, columns: int, **said: str) -> str:
    """What a command shows at a terminal of so many columns."""
    ours, theirs = pty.openpty()
    with command(
        *arguments, stdout=theirs, env=environment() | {"COLUMNS": str(columns), "TERM": "xterm"} | said
    ) as process:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
        except OSError:  # Linux says so when the other side is closed
            pass
        assert process.stderr is not None
        assert (process.wait(), process.stderr.read()) == (0, b"")
    os.close(ours)
    return shown.decode()


def test_what_runs_as_long_as_the_service_keeps_no_library_that_only_its_start_needs():
    """5 MiB that read command lines; in what watches the others also 20 of drivers, keys and an event loop."""
    loaded = (
        "import sys; from services.cli import _plain_command as plain; plain(sys.argv[1:]); print(*sys.modules)"
    )
    for words, unwanted in (
        (["up", "--lan"], {"cyclopts", "psycopg", "cryptography", "asyncio", "structlog"}),
        (["serve", "--with-worker"], {"cyclopts"}),
        (
            ["serve", "--processes", "2"],
            {"psycopg"},
        ),  # left to the library, which imports the command when it calls it
    ):
        asked = [sys.executable, "-c", loaded, *words]
        modules = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()  # noqa: S603
        assert "services.cli" in modules
        assert not unwanted & set(modules), words


@pytest.mark.slow
def test_help_fits_a_narrow_terminal_and_has_colours_only_where_they_are_wanted():
    plain = at_terminal("--help", columns=NARROW, NO_COLOR="1")
    assert not COLOUR.search(plain)
    without_style = re.sub(r"\x1b\[[0-9;]*m", "", plain)
    assert max(map(len, without_style.splitlines())) <= NARROW
    assert COLOUR.search(at_terminal("--help", columns=NARROW))


def test_every_exit_code_is_documented():
    page = (ROOT / "docs" / "operate" / "deploy.md").read_text("utf-8")
    listed = {int(code) for code in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)}
    ours = {value for name, value in vars(errors).items() if name.startswith("EXIT_")}
    assert listed == ours | {0}


def test_every_command_is_documented():
    page = (ROOT / "docs" / "operate" / "deploy.md").read_text("utf-8")
    rows = re.findall(
        r"^\| (`[a-z`, -]+`) \|", page.partition("## Commands")[2].partition("| exit code |")[0], re.MULTILINE
    )
    assert sorted(name for row in rows for name in re.findall(r"`([^`]+)`", row)) == sorted(COMMANDS)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [Terminal(), io.StringIO()])
def test_what_takes_longer_than_a_second_says_how_far_it_is(stream: io.StringIO, monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "SHOW_EVERY_SECONDS", 0.01)
    monkeypatch.setattr(progress, "LINE_EVERY_SECONDS", 0.01)
    monkeypatch.setenv("COLUMNS", str(NARROW))
    with Progress("verifying") as told:
        told.reached(300, 900)
        assert eventually(lambda: "verifying, 300 of 900 events, 0 s" in stream.getvalue())
        told.reached(7, what="campaigns " + "and more " * 20)
        assert eventually(lambda: "verifying, 7 campaigns" in stream.getvalue())
    lines = stream.getvalue().removesuffix("\n").split("\n")
    if stream.isatty():
        (line,) = lines
        assert all(len(each) < NARROW for each in re.split(r"\r\x1b\[K", line))
        assert line.endswith("\r\x1b[K"), "nothing of it is left"
    else:
        assert all(line.startswith("… verifying, ") for line in lines)


def test_what_is_quick_says_nothing(capsys):
    with Progress("verifying") as told:
        told.reached(1, 2)
    assert capsys.readouterr().err == ""
