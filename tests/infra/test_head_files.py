"""What is remembered of heads outside the database."""

from uuid import uuid4

import pytest

from domain.ids import CampaignId
from domain.stored import Head
from infra.head_files import HeadFiles, NoHeadFiles

CAMPAIGN, OTHER = CampaignId(uuid4()), CampaignId(uuid4())


def head(seq: int) -> Head:
    return Head(seq=seq, hash=bytes([seq]) * 32, recorded_at=0)


def test_a_head_is_kept_and_only_moves_on(tmp_path):
    files = HeadFiles(tmp_path / "heads")
    assert files.last(CAMPAIGN) is None
    files.keep({CAMPAIGN: head(7), OTHER: head(2)})
    files.keep({CAMPAIGN: head(5)})
    assert files.last(CAMPAIGN) == head(7)
    HeadFiles(tmp_path / "heads").keep({CAMPAIGN: head(8)})
    assert files.last(CAMPAIGN) == head(8)
    assert files.last(OTHER) == head(2)
    assert len(list((tmp_path / "heads").iterdir())) == 2, "nothing half-written stays"


def test_what_was_forgotten_may_begin_again(tmp_path):
    files = HeadFiles(tmp_path)
    files.keep({CAMPAIGN: head(7)})
    files.forget(CAMPAIGN)
    files.forget(OTHER)
    assert files.last(CAMPAIGN) is None
    files.keep({CAMPAIGN: head(3)})
    assert files.last(CAMPAIGN) == head(3)


@pytest.mark.parametrize("content", [b"", b"7", b"x y", b"7 zz", b"\xff\xff", b"7 00 1"])
def test_what_cannot_be_read_counts_as_nothing(tmp_path, content):
    (tmp_path / str(CAMPAIGN)).write_bytes(content)
    assert HeadFiles(tmp_path).last(CAMPAIGN) is None


def test_without_a_folder_nothing_is_kept():
    files = NoHeadFiles()
    files.keep({CAMPAIGN: head(7)})
    files.forget(CAMPAIGN)
    assert files.last(CAMPAIGN) is None
