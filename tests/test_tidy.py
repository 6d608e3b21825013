"""The house rules that no linter knows: who may import whom, what rules may not do, where things lie."""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
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
    "errors",
    "settings",
    "version",
    "ports",
    "runtime",
    "campaign",
    "reading",
    "integrity",
    "commands",
    "history",
    "accounts",
    "lifecycle",
    "transfer",
    "application",
    "wiring",
    "http",
    "workers",
    "cli",
)
"""Each part of `services` imports only what stands before it: reading knows nothing of writing.

Use cases stand before `application`: they take a frozen struct of what they use, and never all of it.
"""

DOORS = {
    "infra.embedded": {"services/wiring/database_engines.py"},
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
    "domain.hideable_commands",
    "domain.ids",
    "domain.mechanics",
    "domain.lifecycle_events",
    "domain.rejection",
    "domain.sentences",
    "domain.personal_text",
    "domain.field_references",
    "domain.systems.system",
)

BANNED_NAMES = {"utils", "helpers", "base", "common", "misc", "manager", "models", "service"}


def sources(*rooms: str) -> list[Path]:
    return sorted(path for room in rooms for path in (ROOT / room).rglob("*.py"))


def nodes_of(path: Path, words: Iterable[str] = ("",)) -> Iterator[ast.AST]:
    """Every node of a file with any of the words in it: others are not taken apart."""
    text = path.read_text("utf-8")
    return ast.walk(ast.parse(text)) if any(word in text for word in words) else iter(())


@cache
def imports_in(path: Path) -> list[ast.Import | ast.ImportFrom]:
    """A file is parsed once for all who ask what it imports."""
    return [node for node in nodes_of(path) if isinstance(node, ast.Import | ast.ImportFrom)]


@cache
def imports(path: Path) -> list[str]:
    found: list[str] = []
    for node in imports_in(path):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        else:
            assert node.level == 0, f"{path}: relative import"
            found.append(node.module or "")
    return found


@cache
def imported(path: Path) -> frozenset[str]:
    """Every name that a file imports, and the modules that it imports names from; imports for types count."""
    names = [
        f"{node.module}.{alias.name}"
        for node in imports_in(path)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    return frozenset([*imports(path), *names])


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
    assert shipped["include"] == [f"{room}*" for room in ROOMS]


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


def modules_of(root: Path) -> dict[str, Path]:
    """The modules of all rooms, by their names; a package is named like its folder."""
    return {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for room in ROOMS
        for path in (root / room).rglob("*.py")
    }


def neighbours(modules: dict[str, Path]) -> dict[str, dict[str, set[str]]]:
    """Of each folder, which of its files and folders import which others of them; imports for types count."""
    found: dict[str, dict[str, set[str]]] = {}
    for module, path in modules.items():
        for name in imported(path) & modules.keys():
            own, other = module.split("."), name.split(".")
            level = next((n for n, (a, b) in enumerate(zip(own, other, strict=False)) if a != b), None)
            if level is not None:  # else one lies within the other
                beside = found.setdefault(".".join(own[:level]), {})
                beside.setdefault(own[level], set()).add(other[level])
    return found


def circles(modules: dict[str, Path]) -> list[str]:
    """The folders in which files or folders import each other in a circle, and what remains of it."""
    wrong = []
    for folder, beside in neighbours(modules).items():
        left = {each: set(others) for each, others in beside.items()}
        while free := {each for others in left.values() for each in others} - left.keys():
            left = {each: rest for each, others in left.items() if (rest := others - free)}
        if left:
            wrong.append(f"{folder}: {', '.join(sorted(left))}")
    return wrong


def test_what_lies_beside_each_other_is_imported_in_one_direction():
    """No circle between folders, nor between files, anywhere; imports for types count."""
    assert circles(modules_of(ROOT)) == []


def test_a_circle_between_two_folders_is_noticed(tmp_path):
    """Negative control: no two of these files import each other, but their folders do."""
    for name, text in {
        "domain/money/ledger.py": "from domain.play.characters import names\n",
        "domain/play/characters.py": "",
        "domain/play/sessions.py": "if TYPE_CHECKING:\n    import domain.money.escrow\n",
        "domain/money/escrow.py": "from domain import rejection\n",
        "domain/rejection.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert circles(modules_of(tmp_path)) == ["domain: money, play"]


def test_services_are_a_table_of_contents():
    """Everything lies in a room, but for what is everybody's."""
    flat = {path.stem for path in (ROOT / "services").glob("*.py")} - {"__init__"}
    assert flat == {"application", "errors", "settings", "version"}


SCREEN = "services/http/screen"
"""Where pages are made: a folder a feature, and what they share."""

WHOLE_APPLICATION = {"services/http/screen/app.py", "services/http/screen/routes.py"}
"""What puts the screen beside the API."""

ONLY_SHOWN = {"services.accounts.rate_limits"}
"""What pages tell of the service, and never call."""


def api_sources() -> list[Path]:
    """What is served over HTTP beside pages."""
    return [path for path in sources("services/http") if not path.is_relative_to(ROOT / SCREEN)]


def beyond_the_api(path: Path) -> list[str]:
    """What a page imports of `services` that no route of the API does, nor what reads for routes."""
    reading = sources("services/reading", "services/accounts")
    controllers = {name for source in (*api_sources(), *reading) for name in imports(source)}
    return [
        name
        for name in imports(path)
        if name.startswith("services.") and name.split(".")[1] != "http" and name not in controllers | ONLY_SHOWN
    ]


def test_pages_can_do_nothing_that_the_api_cannot():
    found = {str(path.relative_to(ROOT)): beyond_the_api(path) for path in sources(SCREEN)}
    assert found
    assert {path: names for path, names in found.items() if names} == {}


def imports_of_routes(path: Path) -> list[str]:
    """The routes of the API that a file imports."""
    return [name for name in imports(path) if f"{name}.".startswith("services.http.api.")]


def test_no_page_imports_a_route():
    pages = [path for path in sources(SCREEN) if str(path.relative_to(ROOT)) not in WHOLE_APPLICATION]
    assert pages
    assert {str(path): names for path in pages if (names := imports_of_routes(path))} == {}


def test_a_page_that_imports_a_route_is_noticed(tmp_path):
    """Negative control."""
    page = tmp_path / "page.py"
    page.write_text(
        "from services.http.api.ledger import LedgerController\n"
        "from services.http.route_parameters import AtQuery\n"
    )
    assert imports_of_routes(page) == ["services.http.api.ledger"]


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
        for node in nodes_of(path, IMPURE_CALLS)
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
    ids = system_ids()
    assert ids
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources(*ROOMS)
        for node in nodes_of(path, ids)
        if isinstance(node, ast.Compare)
        and any(isinstance(side, ast.Constant) and side.value in ids for side in [node.left, *node.comparators])
    ]
    assert wrong == []


def systems_named(path: Path, ids: set[str]) -> list[str]:
    """Where a file names a system: by its id, a wire name or a key of settings, or by an import from its rooms."""
    texts = [
        f"{path.name}:{node.lineno} {node.value}"
        for node in nodes_of(path, ids)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.partition(".")[0] in ids
        and " " not in node.value
    ]
    rooms = {f"{room}.systems.{each}" for room in ("domain", "projections") for each in ids}
    taken = {".".join(name.split(".")[:3]) for name in imported(path)} & rooms
    return [*texts, *(f"{path.name} {name}" for name in sorted(taken))]


def system_ids() -> set[str]:
    return {folder.name for folder in (ROOT / "domain" / "systems").iterdir() if (folder / "decide.py").exists()}


def test_a_system_is_named_in_its_own_rooms_alone():
    """So that one is added by its folders and its lines in the two registries: no table elsewhere is by system."""
    ids = system_ids()
    assert ids
    own = [ROOT / room / "systems" for room in ("domain", "projections")]
    others = [path for path in sources(*ROOMS) if not any(path.is_relative_to(room) for room in own)]
    assert [found for path in others for found in systems_named(path, ids)] == []


def test_a_registry_has_a_line_for_each_system_and_no_other_file_beside_it_names_one():
    ids = system_ids()
    for room in ("domain", "projections"):
        beside = {path: systems_named(path, ids) for path in (ROOT / room / "systems").glob("*.py")}
        assert [path.name for path, found in beside.items() if found] == ["__init__.py"]


def test_a_system_that_is_named_elsewhere_is_noticed(tmp_path):
    """Negative control."""
    offender = tmp_path / "offender.py"
    offender.write_text(
        'TESTS = ("angst.call_test", "campaign.roll")\n'
        "from domain.systems import SYSTEMS, angst\n"
        "from projections.systems.angst.boards import SceneBoard\n"
        "BOARDS = {SceneBoard: 1}\n"
    )
    assert systems_named(offender, {"angst"}) == [
        "offender.py:1 angst.call_test",
        "offender.py domain.systems.angst",
        "offender.py projections.systems.angst",
    ]


def test_file_names_say_what_is_inside():
    named = [path for path in sources(*ROOMS, "tests") if path.stem in BANNED_NAMES]
    assert named == []


def test_modules_are_named_by_nouns():
    """Drawings, recordings and settings are things."""
    participles = {word for path in sources(*ROOMS) if (word := path.stem.rpartition("_")[2]).endswith("ing")}
    assert participles == {"drawing", "recording", "setting"}


PARTICIPLES = frozenset(
    [
        "told",
        "said",
        "seen",
        "known",
        "made",
        "found",
        "asked",
        "wanted",
        "drawn",
        "given",
        "meant",
        "kept",
        "taken",
        "left",
        "fallen",
        "chosen",
        "sent",
        "shown",
        "written",
        "read",
        "held",
        "done",
        "gone",
        "born",
        "begun",
        "called",
        "named",
        "stored",
        "sealed",
        "recorded",
        "packed",
        "joined",
        "changed",
        "added",
        "opened",
        "closed",
        "entered",
        "moved",
        "rolled",
        "owed",
        "caused",
        "struck",
        "undone",
        "redone",
        "revealed",
        "hidden",
        "numbered",
        "rendered",
        "resolved",
        "decided",
        "informed",
        "awaited",
        "worded",
        "judged",
        "offered",
        "refused",
        "drafted",
        "encoded",
        "decoded",
    ]
)
PARTICIPLES_MAX = 0.006
"""At most this share of the names that a room binds is a bare participle; it only goes down."""
EACH_MAX = {"domain": 17, "projections": 1, "services": 12, "infra": 0}
"""So often a room binds `each`, where nothing better was found; it only goes down."""


def bound_names(source: str) -> Counter[str]:
    """The names of functions, arguments and assigned variables, without underscores at their ends."""
    names: Counter[str] = Counter()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names[node.name.strip("_")] += 1
            names.update(argument.arg for argument in (*node.args.args, *node.args.kwonlyargs))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names[node.id.strip("_")] += 1
    return names


def share_of_participles(names: Counter[str]) -> float:
    return sum(names[word] for word in PARTICIPLES) / names.total()


@pytest.mark.parametrize("room", EACH_MAX)
def test_values_are_named_by_nouns_and_functions_by_verbs(room):
    names = sum((bound_names(path.read_text("utf-8")) for path in sources(room)), Counter[str]())
    assert share_of_participles(names) <= PARTICIPLES_MAX
    assert names["each"] <= EACH_MAX[room]


def test_a_bare_participle_and_each_are_noticed():
    names = bound_names("def told(): return [each for each in dice]\n\nsentence = told()\n")
    assert names == {"told": 1, "each": 1, "sentence": 1}
    assert share_of_participles(names) > PARTICIPLES_MAX


CLASSES_BY_PARTICIPLE = {
    *("Awaited", "Checked", "Founded", "Imported", "Joined", "Played", "Retried", "Shown", "Unresolved"),
    *("Hidden", "Renamed"),
    *("Diverged", "Malformed", "Overloaded", "Refused", "Unprepared"),
}
"""The API's document names the first ones so; then events; then exceptions, which state what is the case."""
PAST = re.compile(r"_?[A-Z][a-z]{2,}ed")
CLASS = re.compile(r"\bclass\s+(\w+)")
"""Perhaps a class, and its name."""


def classes_by_participle(source: str) -> set[str]:
    """The names of classes that are one word, and that a participle."""
    words = {*CLASS.findall(source)}
    wrong = {word for word in words if word.strip("_").lower() in PARTICIPLES or PAST.fullmatch(word)}
    classes = (node for node in (ast.walk(ast.parse(source)) if wrong else ()) if isinstance(node, ast.ClassDef))
    return wrong & {node.name for node in classes}


def test_classes_are_named_by_nouns():
    names = {name for path in sources(*ROOMS) for name in classes_by_participle(path.read_text("utf-8"))}
    assert names == CLASSES_BY_PARTICIPLE


def test_a_class_that_is_named_by_a_participle_is_noticed():
    """Negative control."""
    assert classes_by_participle("class Told: ...\nclass _Judged: ...\nclass ToldAction: ...\n") == {
        "Told",
        "_Judged",
    }


PERHAPS_OF_TESTS = re.compile(
    r"(from|import)\s+tests[\w.]*\btest_|from\s+tests[\w.]*\s+import\s+(\([^)]*|[^(\n]*)\btest_"
)
"""Text of a file, if it imports a test module: others need not be taken apart."""


def imports_of_tests(path: Path) -> set[str]:
    """The test modules that a file of `tests` imports, or imports from."""
    if not PERHAPS_OF_TESTS.search(path.read_text("utf-8")):
        return set()
    return {
        name
        for name in imported(path)
        if name.startswith("tests.")
        and (ROOT / f"{name.replace('.', '/')}.py").exists()
        and name.rpartition(".")[2].startswith("test_")
    }


def test_what_tests_share_lies_in_no_test_module():
    imported = {name for path in sources("tests") for name in imports_of_tests(path)}
    assert imported == set(), "move what is shared to a module named by a noun"


def test_an_import_from_a_test_module_is_noticed(tmp_path):
    """Negative control."""
    wrong = {
        "from tests import test_tidy\n": "tests.test_tidy",
        "from tests import (\n    root,\n    test_tidy,\n)\n": "tests.test_tidy",
        "from tests.root import ROOT\nimport tests.test_glossary\n": "tests.test_glossary",
        "from tests.test_prose import prose\n": "tests.test_prose",
    }
    for nth, (text, name) in enumerate(wrong.items()):
        offender = tmp_path / f"test_{nth}.py"
        offender.write_text(text)
        assert imports_of_tests(offender) == {name}


def test_a_forbidden_import_is_noticed(tmp_path):
    """Negative control."""
    offender = tmp_path / "offender.py"
    offender.write_text("import random\nfrom infra.postgres import event_store\n")
    assert wrong_imports(offender, "domain") == ["infra.postgres"]
    assert "random" not in PURE_STDLIB


def test_an_import_from_above_is_noticed(monkeypatch, tmp_path):
    """Negative control."""
    offender = tmp_path / "services" / "reading" / "offender.py"
    offender.parent.mkdir(parents=True)
    offender.write_text("from services.campaign import state_at\nfrom services.commands.submit import act\n")
    monkeypatch.setattr("tests.test_tidy.ROOT", tmp_path)
    assert imports_from_above(offender) == ["services.commands.submit"]


@pytest.mark.parametrize("room", ["commands", "lifecycle", "accounts", "transfer"])
def test_a_use_case_that_takes_the_application_is_noticed(monkeypatch, tmp_path, room):
    """Negative control."""
    offender = tmp_path / "services" / room / "offender.py"
    offender.parent.mkdir(parents=True)
    offender.write_text("if TYPE_CHECKING:\n    from services.application import Application\n")
    monkeypatch.setattr("tests.test_tidy.ROOT", tmp_path)
    assert imports_from_above(offender) == ["services.application"]


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
