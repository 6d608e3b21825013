"""`fieldlog ledger` writes for a host what the campaign's GMs read over HTTP."""

import stat

from tests.services.verify_command import cli

ENTRY = {"currency": "credits", "debit": "world:patron", "credit": "crew", "amount": 7, "reason": "x"}


def test_the_ledger_is_written_as_gms_read_it_and_no_file_is_written_over(table, database, tmp_path):
    table.act(table.gm, "campaign.post_entry", **ENTRY)
    out = tmp_path / "books.beancount"
    command = ["ledger", table.campaign_id, "--format", "beancount", "--out", str(out)]
    written = cli(database, *command)
    assert written.returncode == 0, written.stderr
    told = table.gm.get(f"{table.path}/ledger/export", params={"format": "beancount"})
    assert out.read_bytes() == told.content
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    again = cli(database, *command)
    assert again.returncode != 0
    assert "cannot be written" in again.stderr
    assert out.read_bytes() == told.content


def test_a_ledger_with_days_that_a_program_does_not_know_is_refused_in_a_sentence(table, database):
    year = {"months": [{"name": "Long", "days": 400}], "year": 1}
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value=year)
    table.act(table.gm, "campaign.advance_calendar", by={"days": 50})
    table.act(table.gm, "campaign.post_entry", **ENTRY)
    refused = cli(database, "ledger", table.campaign_id, "--dates", "game")
    assert refused.returncode == 1
    assert refused.stderr.startswith("fieldlog: ")
    assert "(date_not_writable)" in refused.stderr
