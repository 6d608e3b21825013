"""`fieldlog verify` says in words what it found, and by its exit code whether that is well."""

import subprocess
from pathlib import Path
from uuid import UUID, uuid4

import msgspec
import psycopg
import pytest

from domain.campaign.dice.audit import DiceFault, DiceReport
from domain.ids import CampaignId
from infra.machine.service_key import CheckpointSigner
from services.campaign.verify_log import SoundPart
from services.cli.verify import checkpoint_line, report_lines
from services.integrity.checkpoints import Checkpoint
from tests.changeable_events import let_events_be_changed
from tests.engines import DICE_KEY, DatabaseUrls
from tests.services.conftest import Table
from tests.services.verify_command import cli


def run(database: DatabaseUrls, campaign: str, *options: str) -> subprocess.CompletedProcess[str]:
    return cli(database, "verify", campaign, *options)


@pytest.mark.slow
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
        let_events_be_changed(owner)
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
    lines = report_lines(SoundPart(9, bytes(32), None), report)
    assert lines[3:] == ["seq 7: wrong face (open:1:3)"]


@pytest.mark.slow
def test_a_log_that_was_cut_off_is_found_by_a_checkpoint(table, database, tmp_path):
    """Invariant 8: whoever owns the database can cut off the end and set the head back; the checkpoint tells."""
    table.act(table.gm, "campaign.add_note", text="before")
    early = kept_in(tmp_path / "early.json", table)
    seq = table.seq()
    table.act(table.gm, "campaign.add_note", text="what somebody wants forgotten")
    late = kept_in(tmp_path / "late.json", table)
    held = run(database, table.campaign_id, "--checkpoint", str(late))
    assert held.returncode == 0, held.stderr
    assert held.stdout.splitlines()[-2:] == [f"the checkpoint of seq {seq + 1} holds", "all is as it was written"]
    with psycopg.connect(database.owner) as owner:
        let_events_be_changed(owner)
        owner.execute("DELETE FROM events WHERE seq > %s", [seq])
        owner.execute(
            "UPDATE campaign_heads AS h SET seq = e.seq, hash = e.hash FROM events AS e "
            "WHERE e.campaign_id = h.campaign_id AND e.seq = %s",
            [seq],
        )
    assert run(database, table.campaign_id).returncode == 0, "the log alone does not show it"
    assert run(database, table.campaign_id, "--checkpoint", str(early)).returncode == 0
    cut = run(database, table.campaign_id, "--checkpoint", str(late))
    assert cut.returncode == 1
    assert f"the log ends BEFORE seq {seq + 1}, where the checkpoint saw it" in cut.stdout


def kept_in(path: Path, table: Table) -> Path:
    response = table.player.get(f"{table.path}/checkpoint")
    assert response.status_code == 200, response.text
    path.write_bytes(response.content)
    return path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seq": 2}, "the checkpoint is NOT what the service signed"),
        ({"hash": "00" * 32}, "the checkpoint is NOT what the service signed"),
        ({"at": "2026-01-01T00:00:00.000000Z"}, "the checkpoint is NOT what the service signed"),
        ({"signature": "nonsense"}, "the checkpoint is NOT what the service signed"),
        ({"public_key": "00" * 32}, "the checkpoint was signed by ANOTHER service"),
        ({"campaign_id": str(uuid4())}, "the checkpoint is ANOTHER campaign's"),
    ],
)
def test_a_checkpoint_that_was_changed_proves_nothing(table, change, said):
    sent = table.gm.get(f"{table.path}/checkpoint").json()
    key = CheckpointSigner(bytes.fromhex(DICE_KEY)).public_key
    campaign = CampaignId(UUID(table.campaign_id))
    untouched = msgspec.convert(sent, Checkpoint)
    assert checkpoint_line(untouched, campaign, key, bytes.fromhex(untouched.hash)).endswith("holds")
    changed = msgspec.convert(sent | change, Checkpoint)
    assert checkpoint_line(changed, campaign, key, bytes.fromhex(untouched.hash)) == said


def test_another_event_at_the_place_of_a_checkpoint_is_found(table):
    sent = msgspec.convert(table.gm.get(f"{table.path}/checkpoint").json(), Checkpoint)
    key = CheckpointSigner(bytes.fromhex(DICE_KEY)).public_key
    said = checkpoint_line(sent, CampaignId(UUID(table.campaign_id)), key, bytes(32))
    assert said == f"seq {sent.seq} is NOT what the checkpoint saw"


def test_what_is_no_checkpoint_is_refused(table, database, tmp_path):
    (tmp_path / "nonsense").write_text("{}")
    for name in ("nonsense", "nowhere"):
        refused = run(database, table.campaign_id, "--checkpoint", str(tmp_path / name))
        assert refused.returncode == 2
        assert "is no checkpoint" in refused.stderr


@pytest.mark.slow
def test_an_export_is_verified_from_the_file_alone(table, database, tmp_path):
    rolled = table.act(table.player, "campaign.roll", notation="3d6")
    early = kept_in(tmp_path / "early.json", table)
    table.act(table.gm, "campaign.end_dice_epoch")
    file = tmp_path / "campaign.ndjson"
    written = cli(database, "export", table.campaign_id, "--out", str(file))
    assert written.returncode == 0, written.stderr
    assert file.read_bytes().count(b'"line":"event"') == table.seq()
    assert file.stat().st_mode & 0o777 == 0o600, "hidden actions are in it"
    again = cli(database, "export", table.campaign_id, "--out", str(file))
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    nowhere = DatabaseUrls(owner="", service="")
    sound = run(nowhere, str(file), "--checkpoint", str(early))
    assert sound.returncode == 0, sound.stdout
    assert sound.stdout.splitlines()[2] == "3 dice recomputed, 0 wait for their seed"
    file.write_bytes(file.read_bytes().replace(b"notation", b"notations", 1))
    changed = run(nowhere, str(file))
    assert changed.returncode == 1
    assert f"first bad seq: {rolled['seq']}" in changed.stdout
    missing = run(nowhere, str(tmp_path / "missing"))
    assert (missing.returncode, missing.stderr.count("\n")) == (2, 1)


def test_a_stored_view_that_is_not_what_the_log_says_is_found(table, database):
    table.act(table.gm, "campaign.add_note", text="x")
    assert cli(database, "rebuild-views", table.campaign_id).returncode == 0
    assert run(database, table.campaign_id).returncode == 0
    with psycopg.connect(database.owner) as owner:
        changed = owner.execute(
            "UPDATE stored_folds SET content = content || '\\x20' WHERE audience = 'gm' RETURNING 1"
        ).fetchall()
    assert changed
    wrong = run(database, table.campaign_id)
    assert wrong.returncode == 1
    assert "what is stored for gm is NOT what the log says" in wrong.stdout
