"""Seeds are sealed with one key: without it, or with another, nothing starts, and it is said what to restore."""

import secrets
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from infra.machine.service_key import fingerprint
from services.cli.doctor import _key
from services.cli.errors import EXIT_TRY_AGAIN, EXIT_WILL_NOT, Refused
from services.cli.serve import require_key
from services.settings import Settings
from services.wiring.keys import KeyUnusable, require_its_key
from tests.engines import DICE_KEY, DatabaseUrls
from tests.services.conftest import table_at
from tests.services.processes import Program

OURS = fingerprint(bytes.fromhex(DICE_KEY))
OTHER = "0" * 64


def noted(database: DatabaseUrls) -> list[str]:
    with psycopg.connect(database.owner) as owner:
        return [found for (found,) in owner.execute("SELECT fingerprint FROM dice_key")]


@pytest.fixture
def sealed(database: DatabaseUrls, client: object) -> DatabaseUrls:
    """A database of before: it has seeds, and no fingerprint of the key that they are sealed with."""
    table_at(client)  # type: ignore[arg-type]
    assert noted(database) == []
    return database


def require(database: DatabaseUrls, **settings: object) -> None:
    require_key(Settings(database_url=database.service, **settings))  # type: ignore[arg-type]


def test_the_first_start_notes_the_fingerprint_and_every_other_compares(database, tmp_path):
    require(database, home=tmp_path)
    key = bytes.fromhex((tmp_path / "dice.key").read_text().strip())
    assert noted(database) == [fingerprint(key)]
    require(database, home=tmp_path)
    require(database, dice_key=key.hex())
    with pytest.raises(
        Refused, match=f"FIELDLOG_DICE_KEY holds a foreign key .*with the fingerprint {noted(database)[0]}"
    ):
        require(database, dice_key=OTHER)
    assert noted(database) == [fingerprint(key)]


def test_a_database_of_before_takes_only_the_key_that_opens_its_seeds(sealed):
    with pytest.raises(Refused, match=r"holds a foreign key .*sealed with another, which opens them") as refused:
        require(sealed, dice_key=OTHER)
    assert refused.value.exit_code == EXIT_WILL_NOT
    assert noted(sealed) == [], "a key that opens nothing is not noted"
    require_its_key(Settings(dice_key=DICE_KEY), sealed.service)
    assert noted(sealed) == [], "doctor changes nothing"
    require(sealed, dice_key=DICE_KEY)
    assert noted(sealed) == [OURS]


def test_seeds_of_a_deleted_campaign_count_since_it_may_be_restored(sealed):
    with psycopg.connect(sealed.owner) as owner:
        owner.execute("UPDATE campaign_heads SET gone_at = 1")
    with pytest.raises(Refused, match="holds a foreign key"):
        require(sealed, dice_key=OTHER)


@pytest.mark.parametrize("was_noted", [False, True])
def test_a_missing_key_is_asked_for_and_none_is_made(sealed, tmp_path, was_noted):
    if was_noted:
        require(sealed, dice_key=DICE_KEY)
    with pytest.raises(Refused, match=r"dice\.key is missing.*Put that file back from its backup") as refused:
        require(sealed, home=tmp_path)
    assert refused.value.exit_code == EXIT_WILL_NOT
    assert (OURS in str(refused.value)) is was_noted
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "dice.key").write_text(DICE_KEY + "\n")
    require(sealed, home=tmp_path)


def test_of_several_that_start_at_once_with_different_keys_one_goes_on(database):
    keys = [secrets.token_hex(32) for _ in range(6)]

    def starts(key: str) -> bool:
        try:
            require(database, dice_key=key)
        except Refused:
            return False
        return True

    with ThreadPoolExecutor(6) as threads:
        went_on = list(threads.map(starts, keys))
    assert went_on.count(True) == 1
    assert noted(database) == [fingerprint(bytes.fromhex(keys[went_on.index(True)]))]


def test_several_that_start_at_once_in_one_new_home_all_go_on(database, tmp_path):
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda _: require(database, home=tmp_path), range(12)))
    assert len(noted(database)) == 1


def test_a_database_that_is_away_is_no_foreign_key(tmp_path):
    with pytest.raises(Refused, match="the database does not answer") as refused:
        require(DatabaseUrls("", "postgresql://fieldlog@127.0.0.1:1/fieldlog"), home=tmp_path)
    assert refused.value.exit_code == EXIT_TRY_AGAIN
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("command", ["serve", "worker", "up", "doctor"])
def test_every_command_that_would_use_the_key_refuses(sealed: DatabaseUrls, tmp_path: Path, command: str) -> None:
    urls = {"database_url": sealed.service, "owner_url": sealed.owner, "redis_url": "redis://127.0.0.1:1/0"}
    for settings, words in (
        ({"dice_key": OTHER}, "FIELDLOG_DICE_KEY holds a foreign key"),
        ({"dice_key": None, "home": str(tmp_path / "home")}, "dice.key is missing"),
    ):
        program = Program(tmp_path, command, **urls, **settings)
        try:
            code = program.process.wait(30)
        finally:
            program.kill()
        assert words in program.said(), program.said()
        assert code == (1 if command == "doctor" else EXIT_WILL_NOT), program.said()
        assert "Traceback" not in program.said()
        assert not (tmp_path / "home" / "dice.key").exists()


def test_doctor_finds_the_right_key_well(sealed):
    require_its_key(Settings(dice_key=DICE_KEY), sealed.service)
    with pytest.raises(KeyUnusable, match="foreign key"):
        require_its_key(Settings(dice_key=OTHER), sealed.service)


@pytest.mark.parametrize(("mode", "state"), [(0o600, "ok"), (0o400, "ok"), (0o644, "note"), (0o640, "note")])
def test_doctor_says_where_others_may_read_the_key(tmp_path, mode, state):
    file = tmp_path / "dice.key"
    file.write_text(DICE_KEY + "\n")
    file.chmod(mode)
    found = _key(Settings(home=tmp_path))
    assert found.state == state
    assert ("chmod 600" in found.detail) is (state == "note")
