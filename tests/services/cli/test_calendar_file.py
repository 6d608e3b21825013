"""`fieldlog calendar FILE` says what a calendar file of another tool holds."""

import json

import msgspec
import pytest

from domain.campaign.calendar_shapes import CalendarShape, calendar_of
from services.cli.calendar import FILE_BYTES_MAX, calendar
from services.cli.errors import Refused
from tests.domain.campaign.calendar_files_made import SIMPLE_CALENDAR


def test_a_calendar_file_is_reported_and_printed_as_the_setting_takes_it(tmp_path, capsys):
    file = tmp_path / "small.json"
    file.write_text(json.dumps(SIMPLE_CALENDAR), "utf-8")
    assert calendar(file) == 0
    printed = capsys.readouterr()
    shape = msgspec.json.decode(printed.out, type=CalendarShape)
    assert calendar_of(shape).date_of(0).text == "Ebb, 6 Sun 12 AF, 02:01"
    assert "A calendar of Simple Calendar" in printed.err
    assert "left out: notes" in printed.err


@pytest.mark.parametrize("content", [b"{}", b"no json", b"[" * 5_000, b" " * (FILE_BYTES_MAX + 1)])
def test_a_file_that_is_no_calendar_is_refused_in_a_sentence(content: bytes, tmp_path):
    file = tmp_path / "small.json"
    file.write_bytes(content)
    with pytest.raises(Refused):
        calendar(file)
