"""The house rules that no linter knows: who may import whom, what rules may not do, how big a file may be."""

import ast
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.root import ROOT

ROOMS = ("domain", "projections", "infra", "services", "fieldlog")

MAY_IMPORT = {
    "domain": {"domain"},
    "projections": {"domain", "projections"},
    "infra": {"domain", "infra"},
    "services": {"domain", "projections", "services", "fieldlog"},
    "fieldlog": {"domain", "fieldlog"},
}
"""`services.wiring` alone imports infra too. What clients are given knows nothing of how they are served."""

SERVICES_FROM_BELOW = (
    *(
        "errors",
        "origins",
        "settings",
        "version",
        "ports",
        "runtime",
        "state",
        "queries",
        "scheduler",
        "integrity",
        "commands",
    ),
    *(
        "projector",
        "accounts",
        "application",
        "campaigns",
        "privacy",
        "transfer",
        "wiring",
        "api",
        "web",
        "worker",
        "cli",
    ),
)
"""Each part of `services` imports only what stands before it: reading knows nothing of writing."""

DOORS = {
    "infra.embedded": {"services/wiring/engines.py"},
    "infra.postgres.driver": {"infra/postgres", "services/wiring/application.py"},
    "services.cli.up": set[str](),
}
"""Rooms that few may look into, and who. The command line calls `up` by its name."""

PURE_STDLIB = {
    "__future__",
    "abc",
    "base64",
    "bisect",
    "collections",
    "contextlib",
    "copy",
    "dataclasses",
    "difflib",
    "enum",
    "fractions",
    "functools",
    "hashlib",
    "hmac",
    "itertools",
    "math",
    "operator",
    "re",
    "string",
    "struct",
    "types",
    "typing",
    "unicodedata",
    "uuid",
    "datetime",
}
"""What the rules may use: no clock, no randomness, no input or output."""

IMPURE_CALLS = {"uuid1", "uuid4", "now", "today", "utcnow", "open", "print", "input", "token_bytes"}

SYSTEMS_MAY_IMPORT = (
    "domain.command_context",
    "domain.dice",
    "domain.concealment",
    "domain.ids",
    "domain.mechanics",
    "domain.lifecycle_events",
    "domain.rejection",
    "domain.sentences",
    "domain.personal_text",
    "domain.references",
    "domain.systems.system",
)

BANNED_NAMES = {"utils", "helpers", "base", "common", "misc", "manager", "models", "service"}


def sources(*rooms: str) -> list[Path]:
    return sorted(path for room in rooms for path in (ROOT / room).rglob("*.py"))


@cache
def imports(path: Path) -> list[str]:
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.append(node.module or "")
    return found


def wrong_imports(path: Path, room: str) -> list[str]:
    """What a file imports although its room may not."""
    allowed = set(MAY_IMPORT[room])
    if room == "services" and path.is_relative_to(ROOT / "services" / "wiring"):
        allowed.add("infra")
    others = {*ROOMS, "tests"} - allowed
    return [name for name in imports(path) if name.partition(".")[0] in others]


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_only_what_lies_below_them(room):
    wrong = {str(path.relative_to(ROOT)): wrong_imports(path, room) for path in sources(room)}
    assert {path: names for path, names in wrong.items() if names} == {}


def entered_past_the_door(path: Path) -> list[str]:
    """What a file imports from rooms whose door it is not."""
    own = path.relative_to(ROOT)
    return [
        f"{own}: {name}"
        for room, doors in DOORS.items()
        if not any(own.is_relative_to(door) for door in (*doors, room.replace(".", "/")))
        for name in imports(path)
        if name == room or name.startswith(f"{room}.")
    ]


def test_rooms_with_a_door_are_entered_by_it():
    assert [wrong for path in sources(*ROOMS) for wrong in entered_past_the_door(path)] == []


def test_an_entrance_past_the_door_is_noticed(monkeypatch, tmp_path):
    """Negative control."""
    offender = tmp_path / "services" / "wiring" / "offender.py"
    offender.parent.mkdir(parents=True)
    offender.write_text("from infra.embedded.binaries import find_postgres\nimport infra.postgres.drivers\n")
    monkeypatch.setattr("tests.test_tidy.ROOT", tmp_path)
    assert entered_past_the_door(offender) == ["services/wiring/offender.py: infra.embedded.binaries"]


def test_nothing_that_only_tests_use_is_shipped():
    shipped = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"]["find"]
    assert shipped == {"include": [f"{room}*" for room in ROOMS]}


def imports_from_above(path: Path) -> list[str]:
    """What a part of `services` imports of parts that stand after it; imports for types count."""
    own = path.relative_to(ROOT / "services").with_suffix("").parts[0]
    known = SERVICES_FROM_BELOW[: SERVICES_FROM_BELOW.index(own) + 1]
    named = [name for name in imports(path) if name.startswith("services.")]
    return [name for name in named if name.split(".")[1] not in known]


def test_parts_of_services_import_only_what_stands_below_them():
    wrong = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources("services")
        if path != ROOT / "services" / "__init__.py"
        for name in imports_from_above(path)
    ]
    assert wrong == []


ONLY_SHOWN = {"services.accounts.rate_limits"}
"""What pages tell of the service, and never call."""


def beyond_the_api(path: Path) -> list[str]:
    """What a page imports of `services` that no controller of the API does."""
    controllers = {name for each in sources("services/api") for name in imports(each)}
    return [
        name
        for name in imports(path)
        if name.startswith("services.")
        and not name.startswith(("services.api.", "services.web."))
        and name not in controllers | ONLY_SHOWN
    ]


def test_pages_can_do_nothing_that_the_api_cannot():
    found = {str(path.relative_to(ROOT)): beyond_the_api(path) for path in sources("services/web")}
    assert found
    assert {path: names for path, names in found.items() if names} == {}


def test_pages_use_functions_of_the_api_and_none_of_its_routes():
    taken = {
        alias.name
        for path in sources("services/web")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert {name for name in taken if name.endswith("Controller")} == set()


def test_a_page_that_reaches_behind_the_api_is_noticed(tmp_path):
    """Negative control."""
    page = tmp_path / "page.py"
    page.write_text("from services.application import Application\nfrom services.wiring.keys import service_key\n")
    assert beyond_the_api(page) == ["services.wiring.keys"]


def test_the_domain_imports_only_msgspec_and_pure_parts_of_the_standard_library():
    allowed = {"domain", "msgspec", *PURE_STDLIB}
    wrong = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources("domain")
        for name in imports(path)
        if name.partition(".")[0] not in allowed
    }
    assert wrong == set()


def test_the_domain_asks_no_clock_and_no_chance():
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources("domain")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and (
            (isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS)
            or (isinstance(node.func, ast.Attribute) and node.func.attr in IMPURE_CALLS)
        )
    ]
    assert wrong == []


def test_rule_systems_know_neither_the_campaign_nor_each_other():
    wrong = []
    for path in sources("domain/systems"):
        parts = path.relative_to(ROOT / "domain" / "systems").parts
        if len(parts) == 1:
            continue  # the shelf itself and the shape of a system
        own = f"domain.systems.{parts[0]}"
        wrong += [
            f"{path.relative_to(ROOT)}: {name}"
            for name in imports(path)
            if name.startswith("domain.") and not name.startswith((*SYSTEMS_MAY_IMPORT, own))
        ]
    assert wrong == []


def test_nobody_branches_on_the_id_of_a_system():
    ids = {folder.name for folder in (ROOT / "domain" / "systems").iterdir() if (folder / "decide.py").exists()}
    assert ids
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources(*ROOMS)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Compare)
        and any(isinstance(side, ast.Constant) and side.value in ids for side in [node.left, *node.comparators])
    ]
    assert wrong == []


def test_file_names_say_what_is_inside():
    named = [path for path in sources(*ROOMS, "tests") if path.stem in BANNED_NAMES]
    assert named == []


def imports_of_tests(path: Path) -> set[str]:
    """The test modules that a file of `tests` imports, or imports from."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {str(node.module), *(f"{node.module}.{each.name}" for each in node.names)}
    return {
        name
        for name in found
        if name.startswith("tests.")
        and (ROOT / f"{name.replace('.', '/')}.py").exists()
        and name.rpartition(".")[2].startswith("test_")
    }


def test_what_tests_share_lies_in_no_test_module():
    imported = {name for path in sources("tests") for name in imports_of_tests(path)}
    assert imported == set(), "move what is shared to a module named by a noun"


def test_an_import_from_a_test_module_is_noticed(tmp_path):
    """Negative control."""
    offender = tmp_path / "test_offender.py"
    offender.write_text("from tests import test_tidy\nfrom tests.root import ROOT\nimport tests.test_glossary\n")
    assert imports_of_tests(offender) == {"tests.test_tidy", "tests.test_glossary"}


def test_a_forbidden_import_is_noticed(tmp_path):
    """Negative control."""
    offender = tmp_path / "offender.py"
    offender.write_text("import random\nfrom infra.postgres import event_store\n")
    assert wrong_imports(offender, "domain") == ["infra.postgres"]
    assert "random" not in PURE_STDLIB


def test_an_import_from_above_is_noticed(monkeypatch, tmp_path):
    """Negative control."""
    offender = tmp_path / "services" / "queries" / "offender.py"
    offender.parent.mkdir(parents=True)
    offender.write_text("from services.state import state_at\nfrom services.commands.submit import act\n")
    monkeypatch.setattr("tests.test_tidy.ROOT", tmp_path)
    assert imports_from_above(offender) == ["services.commands.submit"]


def test_every_event_and_command_keeps_its_wire_name_for_ever():
    """`wire_names.txt` only ever grows: a name that was stored once must stay readable."""
    from domain.campaign.storage.event_codec import COMMAND_TYPES, EVENT_TYPES  # noqa: PLC0415 — only this test needs them

    kept = (ROOT / "tests" / "wire_names.txt").read_text("utf-8").split()
    now = {*(f"event:{name}" for name in EVENT_TYPES), *(f"command:{name}" for name in COMMAND_TYPES)}
    assert kept == sorted(kept)
    assert set(kept) - now == set(), "wire names that stored campaigns use are gone"
    assert now - set(kept) == set(), "add the new wire names to tests/wire_names.txt"


def test_the_version_is_said_once_and_the_same():
    from services.version import VERSION  # noqa: PLC0415 — only this test needs it

    assert f'version = "{VERSION}"' in (ROOT / "pyproject.toml").read_text("utf-8")
