"""`fieldlog chronicle` writes for a host what the campaign's GMs read over HTTP."""

import os
import pty
import stat
import subprocess
import sys

import pytest

from services.cli.errors import EXIT_BAD_SETTING
from tests.root import ROOT
from tests.services.hiding import hidden
from tests.services.processes import environment
from tests.services.verify_command import cli


@pytest.mark.parametrize("file_format", ["markdown", "text"])
def test_the_chronicle_is_written_as_gms_read_it_and_no_file_is_written_over(
    table, database, tmp_path, file_format
):
    hidden(table, "campaign.add_note", text="The traitor is Ben.")
    out = tmp_path / "chronicle"
    command = ["chronicle", table.campaign_id, "--format", file_format, "--out", str(out)]
    written = cli(database, *command)
    assert written.returncode == 0, written.stderr
    answer = table.gm.get(f"{table.path}/chronicle/export", params={"format": file_format})
    assert out.read_bytes() == answer.content
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    again = cli(database, *command)
    assert again.returncode != 0
    assert "cannot be written" in again.stderr
    assert cli(database, "chronicle", "00000000-0000-4000-8000-000000000000").returncode != 0


def test_an_archive_is_not_written_to_a_terminal():
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "services.cli", "chronicle", "00000000-0000-4000-8000-000000000000"]
    try:
        ended = subprocess.run(  # noqa: S603 - this file's own words
            command, cwd=ROOT, env=environment(), stdout=theirs, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(theirs)
        os.close(ours)
    assert ended.returncode == EXIT_BAD_SETTING
    assert "--out" in ended.stderr
