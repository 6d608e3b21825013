"""The package, as strangers install it: a wheel in an empty environment, far from any checkout."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from infra.embedded.child_process import free_port
from infra.embedded.postgres import running_urls
from tests.engines import engine_folder
from tests.root import ROOT
from tests.sampling import slow_but
from tests.services.front_doors import eventually, up

pytestmark = pytest.mark.slow

PACKAGES = ("domain", "projections", "infra", "services", "fieldlog")
NOT_INSTALLED = ("infra/container/", "infra/front/", "infra/systemd/")
"""What stands around the program, for those who deploy a checkout."""

AROUND = ("LICENSE", "MANIFEST.in", "PKG-INFO", "README.md", "pyproject.toml", "setup.cfg")
"""What a source distribution is built from besides the packages."""

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
SECONDS_MAX = 240.0


def run(*command: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - this file's own words
        [*map(str, command)], capture_output=True, encoding="utf-8", timeout=SECONDS_MAX, check=False, **options
    )


def with_uv(*arguments: str | Path) -> None:
    """As `./run` installs: where a network has certificates of its own, the system's are tried."""
    if find_spec("uv") is None:
        pytest.skip("uv is not installed here, so that nothing can be built")
    command, *others = arguments
    done = None
    for certificates in ((), ("--system-certs",)):
        done = run(sys.executable, "-m", "uv", command, *certificates, *others)
        if done.returncode == 0:
            return
    assert done is not None
    pytest.skip(f"the registry of packages cannot be used from here: {done.stderr.strip()[-300:]}")


def python_called(version: str) -> Path:
    """A Python of this version; skips the test where there is none."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    named = shutil.which(f"python{version}")
    candidates = [Path(named)] if named else []
    candidates += sorted(kept.glob(f"{version}*/bin/python"))
    for python in candidates:  # what merely stands for a Python does not run
        if run(python, "-c", "import venv, ensurepip").returncode == 0:
            return python
    pytest.skip(f"no Python {version} is here")


@pytest.fixture(scope="module")
def checkout() -> list[str]:
    """Every file of the checkout that is there."""
    listed = run("git", "ls-files", cwd=ROOT)
    if listed.returncode != 0:
        pytest.skip("this is no checkout: what belongs to the package cannot be listed")
    return [name for name in listed.stdout.splitlines() if (ROOT / name).exists()]


@pytest.fixture(scope="module")
def tracked(checkout: list[str]) -> list[str]:
    """Its files that belong to the package."""
    packages = tuple(f"{name}/" for name in PACKAGES)
    return [name for name in checkout if name.startswith(packages) and not name.startswith(NOT_INSTALLED)]


@pytest.fixture(scope="module")
def distributions(checkout: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a source distribution and its wheel, both of a copy, as building leaves files."""
    folder = tmp_path_factory.mktemp("distributions")
    with tarfile.open(folder / "source.tar", "w") as archive:
        for name in checkout:
            archive.add(ROOT / name, name)
    with tarfile.open(folder / "source.tar") as archive:
        archive.extractall(folder / "source", filter="data")
    with_uv("build", "--quiet", "--out-dir", folder / "dist", folder / "source")
    return folder / "dist"


@pytest.fixture(scope="module")
def wheel(distributions: Path) -> Path:
    (made,) = distributions.glob("*.whl")
    return made


def test_a_registry_of_packages_takes_both_distributions(distributions: Path, tmp_path: Path) -> None:
    with_uv("venv", "--quiet", "--python", sys.executable, tmp_path / "tools")
    with_uv("pip", "install", "--quiet", "--python", tmp_path / "tools", "twine>=6.2")
    checked = run(
        tmp_path / "tools" / "bin" / "twine", "check", "--strict", *sorted(distributions.glob("fieldlog-*"))
    )
    assert checked.returncode == 0, checked.stdout
    assert checked.stdout.count("PASSED") == 2, checked.stdout


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path, tracked: list[str]) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    assert {name for name in held if ".dist-info/" not in name} == set(tracked)


def test_the_source_distribution_holds_the_same_files_and_nothing_else_of_the_checkout(
    distributions: Path, tracked: list[str]
) -> None:
    (made,) = distributions.glob("*.tar.gz")
    with tarfile.open(made) as archive:
        held = {entry.name.partition("/")[2] for entry in archive if entry.isfile()}
    assert {name for name in held if not name.startswith("fieldlog.egg-info/")} == {*tracked, *AROUND}


@pytest.fixture(params=slow_but(VERSIONS, in_release=["3.12", "3.13", "3.14"]))
def installed(request: pytest.FixtureRequest, wheel: Path) -> Iterator[Path]:
    """The `fieldlog` of an empty environment, in a folder that is no checkout."""
    python = python_called(request.param)
    with engine_folder() as folder:
        made = run(python, "-m", "venv", folder / "environment")
        assert made.returncode == 0, made.stderr
        with_uv("pip", "install", "--quiet", "--python", folder / "environment" / "bin" / "python", wheel)
        yield folder / "environment" / "bin" / "fieldlog"


@contextlib.contextmanager
def a_campaign(fieldlog: Path, address: str, home: Path) -> Iterator[tuple[str, str]]:
    """A recorded campaign that the demo has played; its id, and the name of an account of this service."""
    played = run(fieldlog, "demo", "mobile_frame", "--url", address, cwd=home.parent)
    assert played.returncode == 0, played.stdout[-2000:] + played.stderr
    urls = running_urls(home / "postgres")
    assert urls is not None
    with psycopg.connect(urls.superuser) as connection:
        named = connection.execute(
            "SELECT h.campaign_id::text, (SELECT min(a.name) FROM accounts AS a) FROM campaign_heads AS h"
        ).fetchone()
    assert named is not None
    yield named


def test_an_installed_fieldlog_does_what_run_does_and_every_command_works_beside_it(installed: Path) -> None:
    home, elsewhere = installed.parents[2] / "home", installed.parents[2] / "elsewhere"
    elsewhere.mkdir()
    port = free_port()
    environ = {name: value for name, value in os.environ.items() if not name.startswith("FIELDLOG_")}
    environ |= {"FIELDLOG_HOME": str(home), "FIELDLOG_PORT": str(port), "NO_COLOR": "1"}

    def beside(*command: str) -> str:
        done = run(installed, *command, cwd=elsewhere, env=environ)
        assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr)
        assert "Traceback" not in done.stderr
        return done.stdout

    with up(home, port, program=(str(installed),), folder=elsewhere):
        address = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=address, timeout=30) as client:
            page = client.get("/")
            assert "<html" in page.text
            assert len(assets := re.findall(r'(?:href|src)="(/[^"]+\.(?:css|js|svg)[^"]*)"', page.text)) > 1
            assert {client.get(asset).status_code for asset in assets} == {200}
            assert client.get("/api/docs").status_code == 200
            assert client.get("/", headers={"Accept-Language": "fr"}).text != page.text
            assert client.get("/api/words?lang=fr").json() != client.get("/api/words?lang=en").json()
        with a_campaign(installed, address, home) as (campaign, owner):
            assert "up to date" in beside("migrate")
            assert "all is as it was written" in beside("verify", campaign)
            file = str(elsewhere / "campaign.ndjson")
            assert beside("export", campaign, "--out", file) == ""
            assert "all is as it was written" in beside("verify", file)
            assert f"{owner} is its GM" in beside("import", file, "--owner", owner)
            assert "2 campaigns rebuilt" in beside("rebuild-views")
            assert "1 campaign rebuilt" in beside("rebuild-views", campaign)
            assert "no campaign waits" in beside("accept-restore")
            assert "no deleted campaign" in beside("purge")
            assert f"http://127.0.0.1:{port}/reset-password/" in beside("account", "reset-password", owner)
            assert f"account reset-password {owner}" in beside("audit")
            assert owner in beside("account", "list")
            assert campaign in beside("campaign", "list")
            assert "Fieldlog answers" in beside("doctor")
            assert "overdrive" in beside("demo", "--list")
            bench = run(installed, "bench", cwd=elsewhere, env=environ)
            assert (bench.returncode, bench.stderr.count("\n")) == (78, 1)
    # What reads a database starts the embedded one where nothing runs, and stops it again.
    assert "all is as it was written" in beside("verify", campaign)
    assert eventually(lambda: running_urls(home / "postgres") is None)
