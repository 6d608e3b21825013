"""`fieldlog verify` says in words what it found, and by its exit code whether that is well."""

import subprocess
import sys
from uuid import uuid4

import psycopg

from domain.campaign.dice_check import DiceFault, DiceReport
from services.cli.verify import told
from services.verify import Verified
from tests.engines import DICE_KEY, DatabaseUrls


def run(database: DatabaseUrls, campaign: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 — this file's own words
        [sys.executable, "-m", "services.cli", "verify", campaign],
        env={"FIELDLOG_DATABASE_URL": database.service, "FIELDLOG_DICE_KEY": DICE_KEY},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_sound_log_is_said_to_be_and_a_changed_one_is_named_by_its_seq(table, database):
    table.act(table.player, "campaign.roll", notation="3d6")
    table.act(table.gm, "campaign.end_dice_epoch")
    sound = run(database, table.campaign_id)
    assert sound.returncode == 0, sound.stderr
    assert sound.stdout.splitlines()[1:] == [
        "3 dice recomputed, 0 wait for their seed",
        "0 dice of the table, 0 from before the first seed",
        "all is as it was written",
    ]
    with psycopg.connect(database.owner) as owner:
        owner.execute("ALTER TABLE events DISABLE TRIGGER events_are_append_only")
        owner.execute("UPDATE events SET body = body || '\\x20' WHERE seq = 4")
    changed = run(database, table.campaign_id)
    assert changed.returncode == 1
    assert "seq 4 is NOT what was written; nothing behind it was looked at" in changed.stdout


def test_what_is_no_campaign_is_refused_in_a_sentence(database):
    for wrong in ("nonsense", str(uuid4())):
        refused = run(database, wrong)
        assert refused.returncode == 2
        assert refused.stderr.startswith("fieldlog: ")
        assert refused.stderr.count("\n") == 1


def test_faults_of_dice_are_said():
    report = DiceReport(1, 0, 0, 0, [DiceFault(7, "wrong_face", "open:1:3")])
    lines = told(Verified(9, bytes(32), None), report)
    assert lines[3:] == ["seq 7: wrong face (open:1:3)", "this log was tampered with"]
