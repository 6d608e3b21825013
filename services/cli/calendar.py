"""`fieldlog calendar`: read a calendar file of another tool, and say what was understood."""

import sys
from pathlib import Path

import msgspec

from domain.campaign.calendar_files.calendar_reader import read_calendar
from domain.campaign.calendar_shapes import as_json
from domain.one_line import with_controls_written
from domain.rejection import Rejection
from services.cli.errors import EXIT_BAD_SETTING, Refused

FILE_BYTES_MAX = 16 * 1024 * 1024


def calendar(file: Path) -> int:
    """Print a report about a calendar file, and the calendar as `campaign.calendar` takes it. Nothing is set.

    Parameters
    ----------
    file
        A file of Simple Calendar, Seasons & Stars, Calendaria, Calendarium or Fantasy-Calendar, in JSON.

    """
    try:
        if file.stat().st_size > FILE_BYTES_MAX:
            raise Refused(f"{file} is too large for a calendar.", EXIT_BAD_SETTING)
        reading = read_calendar(msgspec.json.decode(file.read_bytes()))
    except (OSError, msgspec.MsgspecError, RecursionError) as failure:
        raise Refused(f"{file} cannot be read as JSON: {failure}.", EXIT_BAD_SETTING) from None
    except Rejection as refusal:
        raise Refused(str(refusal.message), EXIT_BAD_SETTING) from None
    lines = [
        *(str(sentence) for sentence in reading.understood),
        *(f"left out: {sentence}" for sentence in reading.left_out),
        *(f"look at this: {sentence}" for sentence in reading.contradictions),
    ]
    shape = msgspec.json.format(msgspec.json.encode(as_json(reading.calendar)), indent=2).decode()
    sys.stderr.write("".join(f"{with_controls_written(line)}\n" for line in lines))
    sys.stdout.write(f"{shape}\n")
    return 0
