"""Which processes keep heads outside the database, and what those say that do not."""

import pytest

from infra.embedded.child_process import free_port
from services.settings import Settings
from services.wiring.database_engines import at_home, home_folder
from services.wiring.keys import kept_heads
from tests.engines import DICE_KEY
from tests.services.processes import environment, eventually, running
from tests.services.verify_command import ended

READY = {"serve": "heads_not_kept", "worker": "worker_ready"}


@pytest.mark.slow
@pytest.mark.parametrize("command", READY)
def test_a_process_with_its_key_and_without_a_home_says_that_it_keeps_no_heads(command, database, tmp_path):
    with running(tmp_path, command, database_url=database.service, port=str(free_port())) as program:
        assert eventually(lambda: program.has_said(READY[command])), program.said()
        assert program.said().count("heads_not_kept") == 1


@pytest.mark.slow
def test_one_with_a_home_keeps_them_and_says_nothing(database, tmp_path):
    home = str(tmp_path / "home")
    with running(tmp_path, "worker", database_url=database.service, home=home) as program:
        assert eventually(lambda: program.has_said("worker_ready")), program.said()
        assert "heads_not_kept" not in program.said()


@pytest.mark.slow
@pytest.mark.parametrize(("home", "is_said"), [(None, True), ("home", False)])
def test_doctor_says_it_too(database, tmp_path, home, is_said):
    place = home and str(tmp_path / home)
    told = ended(["doctor"], environment(database_url=database.service, home=place, port=str(free_port())))
    assert ("no heads are kept" in told.stdout) is is_said, told.stdout


def test_the_embedded_engines_have_a_home_and_heads_are_kept_in_it_with_a_key_from_elsewhere():
    named = Settings(dice_key=DICE_KEY, database_url="postgresql://fieldlog@db/fieldlog")
    assert not kept_heads(at_home(named)).is_durable
    embedded = at_home(Settings(dice_key=DICE_KEY))
    assert embedded.home == home_folder(Settings())
    assert kept_heads(embedded).is_durable
