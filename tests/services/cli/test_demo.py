"""`fieldlog demo` from outside: on a service of its own, interrupted, and asked for what there is not."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from domain.systems import SYSTEMS
from services.cli.demo.recording import STORIES, Act, read_recording, recorded_names, short_names
from tests.engines import engine_folder
from tests.root import ROOT
from tests.sampling import slow_but

SECONDS_MAX = 120.0


@pytest.fixture
def folder():
    """Where temporary services of this test lie, so that it can be seen that nothing is left of them."""
    with engine_folder() as made:
        yield made


def environment(folder):
    environ = {name: value for name, value in os.environ.items() if not name.startswith("FIELDLOG_")}
    # Port 1 is nobody's: no service answers there.
    return environ | {"FIELDLOG_PORT": "1", "TMPDIR": str(folder), "PYTHONUNBUFFERED": "1"}


def run(folder, *arguments):
    return subprocess.run(  # noqa: S603 - this file's own words
        [sys.executable, "-m", "services.cli", "demo", *arguments],
        cwd=ROOT,
        env=environment(folder),
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS_MAX,
        check=False,
    )


def processes_naming(folder):
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                traces = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
            except OSError:
                continue
            if bytes(folder / "fieldlog-demo") in traces:
                found.append(int(entry.name))
    return found


def test_an_unknown_recording_is_refused_naming_those_there_are(folder):
    done = run(folder, "chess")
    assert done.returncode == 2
    there = ", ".join(recorded_names() + short_names())
    assert done.stderr == f"fieldlog: there is no recorded campaign of 'chess'; there is {there}.\n"


def test_the_list_names_every_recording(folder):
    done = run(folder, "--list")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == recorded_names() + short_names()
    assert lines[recorded_names().index("frame_state")].endswith(
        f"The Lamplighters of Calder Reach, {commands()} commands"
    )


def test_a_url_where_nothing_answers_is_refused_in_a_sentence(folder):
    done = run(folder, "--url", "http://127.0.0.1:1")
    assert done.returncode == 69
    assert done.stderr.startswith("fieldlog: http://127.0.0.1:1 does not answer as Fieldlog")


@pytest.mark.parametrize("name", recorded_names())
def test_every_recording_can_be_read_and_is_played_with_table_dice(name):
    recording = read_recording(STORIES / f"{name}.jsonl")
    assert recording.title.settings["campaign.dice_origins"] == "table"
    assert recording.commands >= (120 if name in SYSTEMS else 20)


def test_a_line_that_is_no_step_is_named(tmp_path):
    recording = tmp_path / "broken.jsonl"
    recording.write_text(
        '{"title": "T", "blurb": "B", "systems": [], "people": {}}\n{"sing": "loudly"}\n', encoding="utf-8"
    )
    with pytest.raises(ValueError, match=r"broken\.jsonl, line 2: a step does not begin with 'sing'"):
        read_recording(recording)


def commands():
    return sum(isinstance(step, Act) for step in read_recording(STORIES / "frame_state.jsonl").steps)


def test_the_readme_counts_the_commands_as_the_demo_does():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f" {commands()} commands" in readme
    assert set(re.findall(r"^ *\d+/(\d+)  ", readme, re.MULTILINE)) == {str(commands())}


def unreadable(told):
    """Lines about sheets and boards in which something is called as programs call it."""
    shown = re.search(r"── The (?:sheets|boards) .*?(?=── The money|\d+ commands in )", told, re.DOTALL)
    assert shown is not None, told[-2000:]
    return [line for line in shown[0].splitlines() if re.search(r"_|\bNone\b|-[0-9a-f]{6}", line)]


def test_a_raw_name_on_a_sheet_is_noticed():
    """Negative control."""
    told = "── The sheets \n{}\n\n── The money \nworld:mission_pay\n"
    assert unreadable(told.format("Mode of the mech: Fatal mode")) == []
    for raw in ("field_ops 3", "Pilot: None", "Frame: frame-1f2e3d4c"):
        assert unreadable(told.format(raw)) == [raw]


@pytest.mark.parametrize(
    "name",
    slow_but(
        [name for name in recorded_names() if name != "frame_state"],
        in_release=["angst", "freefall", "mobile_frame"],
    ),
)
def test_every_other_recording_is_shown_to_its_end(folder, name):
    done = run(folder, name)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    count = read_recording(STORIES / f"{name}.jsonl").commands
    assert f" {count}/{count} " in done.stdout
    assert unreadable(done.stdout) == []


@pytest.mark.slow
def test_it_plays_on_a_service_of_its_own_and_leaves_nothing(folder):
    done = run(folder)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert done.stderr == ""
    assert f" {commands()}/{commands()} " in done.stdout
    assert "refused: Only pilots roll." in done.stdout
    assert "[only the GM can read this]" in done.stdout
    assert "Second Wind" in done.stdout
    assert unreadable(done.stdout) == []
    assert "fl_" not in done.stdout  # no token of a service that is gone
    assert [*folder.iterdir()] == []
    assert processes_naming(folder) == []


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_stops_and_removes_its_service(folder, how):
    process = subprocess.Popen(
        [sys.executable, "-m", "services.cli", "demo"],
        cwd=ROOT,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    deadline = time.monotonic() + SECONDS_MAX
    while not [*folder.glob("fieldlog-demo-*/home/postgres")] and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(how)
    said, complaints = process.communicate(timeout=SECONDS_MAX)
    assert process.returncode == 130, complaints
    assert "interrupted" in said
    assert complaints == ""
    assert [*folder.iterdir()] == []
    assert processes_naming(folder) == []
