"""The pages of docs/ that follow from the source."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from services.settings import SETTINGS
from tests.reference.refusals import ROOMS, ROOT, Refusal, refusals
from tests.reference.rules import Rule, rules_of, titles

MADE = "*Made from the source by `python -m tests.reference`; do not edit.*"
METRICS = ("Counter", "Gauge", "Histogram")


def pages() -> dict[Path, str]:
    """Every page with its place."""
    docs = ROOT / "docs"
    made = {
        docs / "reference" / "settings.md": settings(),
        docs / "reference" / "errors.md": errors(),
        docs / "reference" / "metrics.md": metrics(),
    }
    return made | {docs / "rules" / f"{system}.md": rules(system, title) for system, title in titles().items()}


def settings() -> str:
    """All environment variables."""
    rows = [f"| `{each.name}` | `{each.default}` | {each.help} |" for each in SETTINGS]
    return _page(
        "Settings",
        "Environment variables, read once at the start. An empty one counts as absent; one that cannot be used is "
        "refused by name, and `fieldlog doctor` shows all of them.",
        ["| variable | default | meaning |", "|---|---|---|", *rows],
    )


def errors() -> str:
    """All codes of refusals, with their sentences and rules."""
    by_code: dict[str, list[Refusal]] = defaultdict(list)
    for each in refusals():
        by_code[each.code].append(each)
    lines = ["| code | status | sentences | rules |", "|---|---|---|---|"]
    for code, all_of_it in sorted(by_code.items()):
        statuses = " ".join(sorted({str(each.status) for each in all_of_it}))
        sentences = "<br>".join(dict.fromkeys(_cell(each.sentence) for each in all_of_it if each.sentence))
        named = sorted({each.rule for each in all_of_it if each.rule})
        lines.append(f"| `{code}` | {statuses} | {sentences} | {' '.join(named)} |")
    return _page(
        "Refusals",
        "A refusal is `application/problem+json` with a stable `code`, the sentence as `detail` (in the language "
        "of its reader) and, where a rulebook refuses, the `rule`. Names in braces are filled in. "
        "[The rules](../rules/) are explained by system; [limits](limits.md) have a page of their own.",
        lines,
    )


def metrics() -> str:
    """All metrics that the service defines itself."""
    lines = ["| metric | kind | labels | meaning |", "|---|---|---|---|", *sorted(_metric_rows())]
    return _page(
        "Metrics",
        "Read `/metrics` of the API, and of a worker with `FIELDLOG_WORKER_METRICS_PORT`, with the bearer token "
        "`FIELDLOG_METRICS_TOKEN`. Counters end in `_total`, histograms in `_bucket`, `_sum` and `_count`. "
        "Besides these there are those of every other request (`fieldlog_requests_total`, "
        "`fieldlog_request_duration_seconds`, `fieldlog_requests_in_progress`) and of the Python process.",
        lines,
    )


def rules(system: str, title: str) -> str:
    """The rules of one system that refusals or docstrings name."""
    lines: list[str] = []
    for each in rules_of(system):
        lines += ["", *_rule(each)]
    return _page(
        title,
        "The ids that refusals cite (`rule`), with what the code says of each. Plain numbers are rules of the "
        "rulebook; C is a command, A a ruling where the rulebook leaves something open, W what happens by itself.",
        lines[1:],
    )


def _rule(rule: Rule) -> Iterator[str]:
    yield f"## {rule.rule}"
    yield ""
    yield from (f"- {each}" for each in rule.told)
    if rule.codes:
        yield f"- Refuses: {', '.join(f'`{each}`' for each in rule.codes)}"


def _metric_rows() -> Iterator[str]:
    texts = [path.read_text("utf-8") for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    for text in [each for each in texts if "prometheus_client" in each]:
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Call(
                    func=ast.Name(id=kind),
                    args=[ast.Constant(value=str(name)), ast.Constant(value=str(meaning)), *more],
                ) if kind in METRICS:
                    labels = [str(each) for each in ast.literal_eval(more[0])] if more else []
                    yield f"| `{name}` | {kind.lower()} | {', '.join(labels)} | {_cell(meaning)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def _page(title: str, opening: str, lines: list[str]) -> str:
    return "\n".join([f"# {title}", "", opening, "", MADE, "", *lines, ""])
