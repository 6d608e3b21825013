"""Units and containers name what there is: files, commands, settings, addresses. Docker is not needed for that."""

import json
import os
import re
import shlex
import shutil
import ssl
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import psycopg
import pytest
import yaml

from infra.embedded.binaries import find_postgres
from infra.embedded.child_process import free_port
from services.cli import COMMANDS
from services.cli.errors import EXIT_WILL_NOT
from services.settings import SETTINGS, Settings
from tests.root import ROOT
from tests.services.outage import a_server
from tests.services.processes import environment, eventually, running
from tests.services.verify_command import ended

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
SEVERAL = ROOT / "compose.scale.yaml"
CONTAINERFILE = (ROOT / "infra/container/Containerfile").read_text("utf-8").replace("\\\n", " ")
UNITS = ROOT / "infra/systemd"
PROGRAM = "/opt/fieldlog/.venv/bin/fieldlog"
KNOWN = {each.name for each in SETTINGS}
OURS = [name for name, each in SERVICES.items() if "build" in each]


def instructions(word: str) -> list[list[str]]:
    """What the Containerfile says after a word, each time."""
    return [shlex.split(said) for said in re.findall(rf"^{word} +(.+)$", CONTAINERFILE, re.MULTILINE)]


def copied() -> list[tuple[list[str], str]]:
    """Sources and target of each COPY."""
    return [(sources, target) for *sources, target in instructions("COPY")]


def sent_to_the_build() -> list[str]:
    """The files at the root, or folders, that .dockerignore lets through."""
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert "*" in lines
    return [line.removeprefix("!") for line in lines if line.startswith("!")]


def unit_lines(pattern: str) -> list[str]:
    """What units and their drop-ins say under a name."""
    files = [each for each in UNITS.rglob("*") if each.is_file()]
    return [said for each in files for said in re.findall(pattern, each.read_text("utf-8"), re.MULTILINE)]


def unknown_commands(lines: list[list[str]]) -> list[list[str]]:
    return [line for line in lines if not line or line[0] not in COMMANDS]


def unknown_settings(names: set[str]) -> set[str]:
    return {name for name in names if name.startswith("FIELDLOG_")} - KNOWN


# --- the image ------------------------------------------------------------------------------------------


def test_what_the_image_is_made_of_is_there_and_sent_to_its_build():
    sent = sent_to_the_build()
    assert [name for name in sent if not (ROOT / name).exists()] == []
    sources = [name for names, _ in copied() for name in names if name != "."]
    assert sources
    assert [name for name in sources if not (ROOT / name).exists()] == []
    assert [name for name in sources if name.split("/")[0] not in sent] == []
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"]
    rooms = {each.removesuffix("*") for each in packages["find"]["include"]}
    assert rooms <= {*sent}


def test_what_the_first_layer_copies_is_enough_to_say_the_version(tmp_path):
    """The step that installs what is needed runs before the rest of the sources is there."""
    for names, target in copied()[:-1]:
        for name in names:
            put(ROOT / name, tmp_path / target)
    told = (
        "import runpy, sys\nsys.argv[1:] = ['--version']\n"
        "try: runpy.run_module('services.cli', run_name='__main__')\n"
        "except SystemExit as ended: assert not ended.code\n"
        "files = [getattr(each, '__file__', None) for each in sys.modules.values()]\n"
        "print(*filter(None, files), sep='\\n')\n"
    )
    done = subprocess.run(  # noqa: S603 - this file's own words
        [sys.executable, "-c", told], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    version, *files = done.stdout.split()
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    rooms = tuple(f"{ROOT}/{room}/" for room in ("domain", "projections", "infra", "services", "fieldlog"))
    assert any(file.startswith(str(tmp_path)) for file in files)
    assert [file for file in files if file.startswith(rooms)] == []


def test_the_image_starts_a_command_of_ours_and_keeps_its_home_where_compose_mounts_it():
    [[folder]] = instructions("WORKDIR")
    assert re.search(rf'^ENTRYPOINT \["{folder}/.venv/bin/fieldlog"\]$', CONTAINERFILE, re.MULTILINE)
    assert "fieldlog" in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    commands = [re.findall(r'"([^"]*)"', said) for said in re.findall(r"^CMD (.+)$", CONTAINERFILE, re.MULTILINE)]
    assert unknown_commands(commands) == []
    [[port]] = instructions("EXPOSE")
    assert int(port) == Settings().port
    said = dict(each.split("=", 1) for line in instructions("ENV") for each in line)
    assert unknown_settings({*said}) == set()
    homes = {volume.partition(":")[2] for name in OURS for volume in SERVICES[name].get("volumes", [])}
    assert homes == {said["FIELDLOG_HOME"]}
    assert f"mkdir {said['FIELDLOG_HOME']} && chown fieldlog" in CONTAINERFILE


def put(source: Path, into: Path) -> None:
    """As COPY does: what is in a folder, or a file."""
    if source.is_dir():
        shutil.copytree(source, into, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        into.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, into)


class BareRoot:
    """A Debian in a folder, where the steps of the Containerfile are done as a build does them."""

    def __init__(self, root: Path) -> None:
        packages = "--include=python3,python3-venv,ca-certificates"
        subprocess.run(["debootstrap", "--variant=minbase", packages, "bookworm", str(root)], check=True)  # noqa: S603, S607
        shutil.copy("/etc/resolv.conf", root / "etc")
        if (trusted := ssl.get_default_verify_paths().cafile) is not None:
            shutil.copy(trusted, root / "etc/ssl/certs/ca-certificates.crt")
        self.root, self.folder, self.user = root, "/", "root"
        self.entry: list[str] = []
        self.environ = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}

    def do(self, step: str, said: str) -> None:
        match step:
            case "ENV":
                self.environ |= dict(each.split("=", 1) for each in shlex.split(said))
            case "WORKDIR":
                self.folder = said
                (self.root / said[1:]).mkdir(parents=True)
            case "COPY":
                self.copy(*shlex.split(said))
            case "RUN":
                assert self.run("sh", "-c", said) == 0, said
            case "USER":
                self.user = said
            case "ENTRYPOINT":
                self.entry = json.loads(said)

    def copy(self, *words: str) -> None:
        *names, target = words
        is_all = names == ["."]
        for name in sent_to_the_build() if is_all else names:
            into = self.root / self.folder[1:] / target
            put(ROOT / name, into / name if is_all and (ROOT / name).is_dir() else into)

    def run(self, *command: str) -> int:
        there = ["sh", "-c", f'cd {self.folder} && exec "$@"', "sh", *command]
        words = ["chroot", f"--userspec={self.user}", str(self.root), *there]
        return subprocess.run(words, env=self.environ, check=False).returncode  # noqa: S603


@pytest.mark.slow
def test_every_step_of_the_image_is_done_in_a_bare_root_and_its_command_starts(tmp_path):
    """In a Debian with its own Python, where the image has a newer one."""
    if shutil.which("debootstrap") is None or os.geteuid() != 0:
        pytest.skip("debootstrap is not installed here, or this is not root")
    bare = BareRoot(tmp_path / "root")
    for step, said in re.findall(r"^([A-Z]+) +(.+)$", CONTAINERFILE, re.MULTILINE):
        bare.do(step, said)
    assert bare.run(*bare.entry, "--version") == 0
    assert bare.run(*bare.entry, "serve") == EXIT_WILL_NOT, "there is no database"
    assert bare.run("test", "-w", bare.environ["FIELDLOG_HOME"]) == 0


# --- compose --------------------------------------------------------------------------------------------


def test_compose_runs_commands_of_ours_with_settings_that_there_are():
    assert {SERVICES[name]["build"]["dockerfile"] for name in OURS} == {"infra/container/Containerfile"}
    assert {"migrate", "api", "worker"} == {*OURS}
    assert unknown_commands([SERVICES[name]["command"] for name in OURS]) == []
    for name in OURS:
        assert unknown_settings({*SERVICES[name]["environment"]}) == set(), name
    # What the database is told besides is read by what it runs once.
    roles = (ROOT / "infra/container/roles.sql").read_text("utf-8")
    told = unknown_settings({*SERVICES["postgres"]["environment"]})
    assert told == {*re.findall(r"^\\getenv \w+ (\w+)$", roles, re.MULTILINE)}


def test_compose_waits_for_services_that_can_say_that_they_are_there():
    for name, service in SERVICES.items():
        for other, wait in service.get("depends_on", {}).items():
            assert other in SERVICES, (name, other)
            assert wait["condition"] != "service_healthy" or "healthcheck" in SERVICES[other], (name, other)
            assert wait["condition"] != "service_completed_successfully" or other == "migrate", (name, other)
        settings = " ".join(map(str, service.get("environment", {}).values()))
        assert {*re.findall(r"://(?:[^@/]*@)?([a-z]+):\d", settings)} <= {*SERVICES}, name


def test_compose_mounts_files_and_volumes_that_there_are():
    for name, service in SERVICES.items():
        for mounted in service.get("volumes", []):
            source = mounted.partition(":")[0]
            assert (ROOT / source).exists() if source.startswith(".") else source in COMPOSE["volumes"], name


def test_compose_asks_after_health_by_the_image_s_python_where_the_api_tells_it(document):
    kind, program, *words = SERVICES["api"]["healthcheck"]["test"]
    assert (kind, program) == ("CMD", str(Path(PROGRAM).with_name("python")))
    [asked] = re.findall(r'urlopen\("http://127\.0\.0\.1:(\d+)(/[^"]*)"', " ".join(words))
    assert asked[0] == str(Settings().port)
    assert asked[1] in document["paths"]
    compile(words[-1], "healthcheck", "exec")
    assert SERVICES["api"]["ports"] == [f"127.0.0.1:{asked[0]}:{asked[0]}"]


def test_the_compose_file_for_several_changes_what_there_is_and_adds_a_proxy_of_ours():
    # Compose's own word for taking away what the other file says.
    several: dict[str, Any] = yaml.safe_load(SEVERAL.read_text("utf-8").replace("!reset []", "null"))
    services: dict[str, dict[str, Any]] = several["services"]
    assert several["name"] == COMPOSE["name"]
    assert {*services} - {*SERVICES} == {"front"}
    for name, service in services.items():
        assert unknown_settings({*service.get("environment", {})}) == set(), name
        assert {*service.get("depends_on", {})} <= {*SERVICES}, name
        sources = [volume.partition(":")[0] for volume in service.get("volumes", [])]
        assert [each for each in sources if not (ROOT / each).exists()] == []
    assert services["api"]["ports"] is None, "a fixed port could be only one's"
    assert services["front"]["ports"] == SERVICES["api"]["ports"]
    [network] = several["networks"]["default"]["ipam"]["config"]
    assert services["api"]["environment"]["FIELDLOG_PROXIES"] == network["subnet"]
    recipe = (ROOT / "infra/container/haproxy.cfg").read_text("utf-8")
    looked_for = {*re.findall(r"server-template api (\d+) api:(\d+) ", recipe)}
    assert looked_for == {(str(services["api"]["deploy"]["replicas"]), str(Settings().port))}
    assert re.findall(r"^    bind :(\d+)$", recipe, re.MULTILINE) == [str(Settings().port)]


def test_haproxy_takes_the_recipe_of_the_containers():
    haproxy = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")
    if haproxy is None:
        pytest.skip("haproxy is not installed here")
    recipe = str(ROOT / "infra/container/haproxy.cfg")
    done = subprocess.run([haproxy, "-c", "-f", recipe], capture_output=True, encoding="utf-8", check=False)  # noqa: S603
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_what_compose_runs_serves_from_the_database_that_its_roles_make(tmp_path):
    """All but the containers: the roles in PostgreSQL, then migrate, api and worker as they are told."""
    with a_server() as server:
        there = urlsplit(server.engine.superuser_url)
        database = SERVICES["postgres"]
        passwords = {name: default(said) for name, said in database["environment"].items() if "$" in said}
        psql = str(find_postgres(None).folder / "psql")
        roles = ROOT / "infra/container/roles.sql"
        anew = ["-c", "DROP DATABASE fieldlog", "-c", "DROP ROLE fieldlog, fieldlog_owner, fieldlog_service"]
        url = there._replace(path="/postgres").geturl()
        words = [psql, url, "-v", "ON_ERROR_STOP=1", *anew, "-f", str(roles)]
        subprocess.run(words, env=os.environ | passwords, check=True)  # noqa: S603

        def told(name: str) -> dict[str, str]:
            said = {each: default(value) for each, value in SERVICES[name]["environment"].items()}
            said = {
                each: value.replace("postgres:5432", f"127.0.0.1:{there.port}") for each, value in said.items()
            }
            at_home = {"FIELDLOG_HOME": str(tmp_path), "FIELDLOG_PORT": str(port), "FIELDLOG_REDIS_URL": ""}
            return {each.removeprefix("FIELDLOG_").lower(): value for each, value in {**said, **at_home}.items()}

        port = free_port()
        migrated = ended(SERVICES["migrate"]["command"], environment(dice_key=None, **told("migrate")))
        assert migrated.returncode == 0, migrated.stderr
        with (
            running(tmp_path, *SERVICES["api"]["command"], dice_key=None, **told("api")),
            running(tmp_path, *SERVICES["worker"]["command"], dice_key=None, **told("worker")) as worker,
        ):
            assert eventually(lambda: worker.has_said("worker_ready")), worker.said()
            *_, asked = SERVICES["api"]["healthcheck"]["test"]
            asked = asked.replace(f":{Settings().port}/", f":{port}/")
            healthy = [sys.executable, "-c", asked]
            assert eventually(lambda: subprocess.run(healthy, check=False, capture_output=True).returncode == 0)  # noqa: S603


@pytest.mark.parametrize("rights", ["CREATEROLE ", ""], ids=["as the page has it", "with a plain owner"])
def test_an_empty_server_is_migrated_after_what_the_page_tells_its_administrator(tmp_path, rights):
    page = (ROOT / "docs/operate/deploy.md").read_text("utf-8")
    [told] = re.findall(r"```sql\n(.+?)```", page, re.DOTALL)
    with a_server() as server:
        there = urlsplit(server.engine.superuser_url)
        with psycopg.connect(there._replace(path="/postgres").geturl(), autocommit=True) as administrator:
            administrator.execute("DROP DATABASE fieldlog")
            administrator.execute("DROP ROLE fieldlog, fieldlog_owner, fieldlog_service")
            for statement in told.replace("CREATEROLE ", rights).split(";")[:-1]:
                administrator.execute(statement.encode())
        names = {"owner_url": "fieldlog_owner:…", "database_url": "fieldlog:…"}
        urls = {
            kind: f"postgresql://{quote(login, safe=':')}@127.0.0.1:{there.port}/fieldlog"
            for kind, login in names.items()
        }
        said = environment(dice_key=None, home=str(tmp_path), redis_url="", **urls)
        migrated = ended(["migrate"], said)
        if not rights:
            assert migrated.returncode == 1
            commands = migrated.stderr.partition("in the database fieldlog: ")[2]
            with psycopg.connect(there._replace(path="/fieldlog").geturl(), autocommit=True) as administrator:
                administrator.execute(commands.encode())
            migrated = ended(["migrate"], said)
        assert migrated.returncode == 0, migrated.stderr
        with psycopg.connect(urls["database_url"]) as service:
            assert service.execute("SELECT count(*) FROM schema_migrations").fetchone() != (0,)


def default(said: str) -> str:
    """What compose makes of a value where its variables are not set."""
    return re.sub(r"\$\{[A-Z_]+:-([^}]*)\}", r"\1", said)


# --- units ----------------------------------------------------------------------------------------------


def test_units_run_commands_of_ours_with_settings_that_there_are():
    started = [shlex.split(said) for said in unit_lines(rf"{PROGRAM} (.+?)'?$")]
    assert sorted(line[0] for line in started) == ["backup", "serve", "worker"]
    assert unknown_commands(started) == []
    assert unknown_settings({said.partition("=")[0] for said in unit_lines(r"^Environment=(.+)$")}) == set()
    documents = unit_lines(r"^Documentation=file:/opt/fieldlog/(.+)$")
    assert [each for each in documents if not (ROOT / each).exists()] == []


def test_unknown_commands_and_settings_are_noticed():
    """Negative control."""
    assert unknown_commands([["serve"], ["server"], []]) == [["server"], []]
    assert unknown_settings({"FIELDLOG_HOME", "FIELDLOG_HOUSE", "HOME"}) == {"FIELDLOG_HOUSE"}


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The units in a folder of their own, with a program and documents that are there."""
    folder = tmp_path / "units"
    shutil.copytree(UNITS, folder)
    for each in [*folder.glob("*.service"), *folder.glob("*.timer")]:
        text = each.read_text("utf-8").replace(PROGRAM, sys.executable).replace("/opt/fieldlog", str(ROOT))
        each.write_text(text, "utf-8")
    return folder


def analyzed(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What `systemd-analyze` says, which looks into this folder first."""
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed here")
    environ = os.environ | {"SYSTEMD_UNIT_PATH": f"{folder}:", "SYSTEMD_COLORS": "0"}
    return subprocess.run(  # noqa: S603 - this file's own words
        [program, *words], capture_output=True, encoding="utf-8", env=environ, check=False, timeout=60
    )


@pytest.mark.slow
def test_systemd_finds_nothing_wrong_with_the_units_and_their_drop_in(installed):
    units = sorted(map(str, [*installed.glob("*.service"), *installed.glob("*.timer")]))
    assert len(units) == 4
    found = analyzed(installed, "verify", "--man=no", *units)
    assert (found.returncode, found.stderr) == (0, "")
    drop_in = installed / "fieldlog-.service.d" / "sandbox.conf"
    drop_in.write_text(drop_in.read_text("utf-8") + "NoSuchWord=yes\n", "utf-8")
    for service in installed.glob("*.service"):  # negative control: a drop-in that nobody reads protects nobody
        assert "NoSuchWord" in analyzed(installed, "verify", "--man=no", str(service)).stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fieldlog-api", "fieldlog-worker", "fieldlog-backup"])
def test_systemd_calls_the_units_well_protected(installed, name):
    unit = str(installed / f"{name}.service")
    found = analyzed(installed, "security", "--offline=true", "--threshold=20", unit)
    assert found.returncode == 0, found.stdout[-2000:] + found.stderr
    (installed / "fieldlog-.service.d" / "sandbox.conf").unlink()
    assert analyzed(installed, "security", "--offline=true", "--threshold=20", unit).returncode != 0
