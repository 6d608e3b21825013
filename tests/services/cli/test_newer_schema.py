"""A database that a newer Fieldlog has migrated: nothing of this version runs on it, and each command says why."""

import psycopg
import pytest

from services.cli.errors import EXIT_FAILED, EXIT_WILL_NOT
from tests.services.verify_command import cli

CAMPAIGN = "00000000-0000-4000-8000-000000000000"
SENTENCE = (
    "The database has had the migration 9999_comes_later, which this version lacks: it is of a newer Fieldlog."
)


@pytest.fixture
def newer(database):
    with psycopg.connect(database.owner) as owner:
        owner.execute("INSERT INTO schema_migrations (name, checksum) VALUES ('9999_comes_later', '')")
    yield database
    with psycopg.connect(database.owner) as owner:
        owner.execute("DELETE FROM schema_migrations WHERE name = '9999_comes_later'")


@pytest.mark.parametrize("command", ["serve", "worker", "rebuild-views", "accept-restore", f"verify {CAMPAIGN}"])
def test_what_serves_or_reads_will_not_run(newer, command):
    told = cli(newer, *command.split())
    assert (told.returncode, told.stdout) == (EXIT_WILL_NOT, "")
    assert SENTENCE in told.stderr
    assert told.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["migrate", "purge", "up"])
def test_what_needs_the_owner_changes_nothing(newer, command):
    told = cli(newer, command, owner_url=newer.owner, redis_url="redis://127.0.0.1:1/0")
    assert (told.returncode, SENTENCE in told.stderr) == (EXIT_FAILED, True), told.stderr


def test_doctor_names_it_as_broken(newer):
    told = cli(newer, "doctor")
    assert told.returncode == EXIT_FAILED
    assert f"BROKEN  schema             {SENTENCE}" in told.stdout
