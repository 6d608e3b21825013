"""What is remembered of heads outside the database."""

import os
from uuid import uuid4

import pytest

from domain.event_store_types import Head
from domain.ids import CampaignId
from infra.machine.head_store import FileHeadStore, NoHeadStore

CAMPAIGN, OTHER = CampaignId(uuid4()), CampaignId(uuid4())


def head(seq: int) -> Head:
    return Head(seq=seq, hash=bytes([seq]) * 32, recorded_at=0)


def test_a_head_is_kept_and_only_moves_on(tmp_path):
    files = FileHeadStore(tmp_path / "heads")
    assert files.last(CAMPAIGN) is None
    files.keep({CAMPAIGN: head(7), OTHER: head(2)})
    files.keep({CAMPAIGN: head(5)})
    assert files.last(CAMPAIGN) == head(7)
    FileHeadStore(tmp_path / "heads").keep({CAMPAIGN: head(8)})
    assert files.last(CAMPAIGN) == head(8)
    assert files.last(OTHER) == head(2)
    assert len(list((tmp_path / "heads").iterdir())) == 2, "nothing half-written stays"


def modes(folder):
    return {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())}


def test_only_the_owner_reads_what_is_kept_whatever_the_umask(tmp_path):
    before = os.umask(0)
    try:
        FileHeadStore(tmp_path / "heads").keep({CAMPAIGN: head(7)})
    finally:
        os.umask(before)
    assert modes(tmp_path / "heads") == {"heads": 0o700, str(CAMPAIGN): 0o600}


def test_a_folder_that_others_could_read_is_closed_to_them_with_all_that_is_in_it(tmp_path):
    folder = tmp_path / "heads"
    FileHeadStore(folder).keep({CAMPAIGN: head(7)})
    (folder / f"{OTHER}.1.new").write_text("2")
    for path in (*folder.iterdir(), folder):
        path.chmod(0o777)
    FileHeadStore(folder).keep({CAMPAIGN: head(5)})
    assert modes(folder) == {"heads": 0o700, str(CAMPAIGN): 0o600, f"{OTHER}.1.new": 0o600}


def test_what_was_forgotten_may_begin_again(tmp_path):
    files = FileHeadStore(tmp_path)
    files.keep({CAMPAIGN: head(7)})
    files.forget(CAMPAIGN)
    files.forget(OTHER)
    assert files.last(CAMPAIGN) is None
    files.keep({CAMPAIGN: head(3)})
    assert files.last(CAMPAIGN) == head(3)


@pytest.mark.parametrize("content", [b"", b"7", b"x y", b"7 zz", b"\xff\xff", b"7 00 1"])
def test_what_cannot_be_read_counts_as_nothing(tmp_path, content):
    (tmp_path / str(CAMPAIGN)).write_bytes(content)
    assert FileHeadStore(tmp_path).last(CAMPAIGN) is None


def test_without_a_folder_nothing_is_kept():
    files = NoHeadStore()
    files.keep({CAMPAIGN: head(7)})
    files.forget(CAMPAIGN)
    assert files.last(CAMPAIGN) is None


def test_the_campaigns_are_listed_of_which_a_head_was_kept(tmp_path):
    files = FileHeadStore(tmp_path / "heads")
    assert files.campaigns() == []
    files.keep({CAMPAIGN: head(7), OTHER: head(2)})
    (tmp_path / "heads" / f"{CAMPAIGN}.17.new").write_text("half-writ")
    assert {*files.campaigns()} == {CAMPAIGN, OTHER}
    files.forget(OTHER)
    assert files.campaigns() == [CAMPAIGN]
    assert NoHeadStore().campaigns() == []
