"""`fieldlog chronicle` writes for a host what the campaign's GMs read over HTTP."""

import stat

import pytest

from tests.services.hiding import hidden
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
