"""What `fieldlog doctor` says of where things are."""

import resource

import pytest

from infra.embedded.child_process import free_port
from services.cli.doctor import doctor
from services.cli.errors import Refused
from tests.services.processes import environment
from tests.services.verify_command import ended

pytestmark = pytest.mark.slow


def lines_of(**settings: str | None) -> dict[str, str]:
    """What the report says, by what was looked at."""
    report = ended(["doctor"], environment(port=str(free_port()), **settings)).stdout
    findings = report.partition("\n\n")[0].splitlines()
    return {line[8:26].strip(): line[27:] for line in findings}


def test_each_engine_that_is_named_is_said_to_be(database, redis_url, tmp_path):
    named = {"database_url": database.service, "redis_url": redis_url, "home": str(tmp_path)}
    both, one = lines_of(**named), lines_of(**{**named, "redis_url": None})
    assert both["PostgreSQL"].endswith(" answers, named by settings")
    assert both["Redis"].endswith(" answers, named by settings")
    assert one["PostgreSQL"] == both["PostgreSQL"], "it is not said to be embedded because Valkey could be"
    assert one["Redis"].startswith("the embedded Valkey does not run")


def test_a_name_does_nothing_to_the_terminal_of_who_reads_the_report(database, tmp_path):
    home = str(tmp_path / "home\x1b[2J")
    report = ended(["doctor"], environment(database_url=database.service, home=home, port=str(free_port()))).stdout
    assert report.count(r"home\x1b[2J") > 1
    assert "\x1b" not in report


def test_a_setting_that_is_spelt_wrongly_is_noted_with_the_one_that_it_is_like(tmp_path):
    right = environment(home=str(tmp_path), port=str(free_port()))
    wrong = {**right, "FIELDLOG_METRIC_TOKEN": "x", "FIELDLOG_CASES": "5", "FIELDLOG_PYTHON": "python3"}
    report = ended(["doctor"], wrong).stdout
    told = [line.split(maxsplit=2)[2] for line in report.splitlines() if line.startswith("note    settings ")]
    assert told == [
        "FIELDLOG_CASES is none of them: the service does not read it; perhaps tests do",
        "FIELDLOG_METRIC_TOKEN is none of them: the service does not read it; is FIELDLOG_METRICS_TOKEN meant?",
    ]
    assert "note    settings" not in ended(["doctor"], right).stdout


def test_a_home_without_room_is_said_to_be_broken(tmp_path, monkeypatch, capsys):
    """As on a full disk, a file cannot grow."""
    for name, value in environment(home=str(tmp_path), port=str(free_port())).items():
        monkeypatch.setenv(name, value)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(Refused, match="broken: home folder"):
            doctor()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert f"BROKEN  home folder        {tmp_path} is not writable: File too large" in capsys.readouterr().out
