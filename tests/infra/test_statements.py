"""The SQL files and the stores that name them."""

import re

from infra.postgres.driver.statements import SQL
from tests.root import ROOT

NAMED = re.compile(r'\b(?:SQL\[|source\()"([a-z_]+)"')


def test_every_statement_that_is_named_has_a_file_and_every_file_is_named():
    named = {name for path in (ROOT / "infra").rglob("*.py") for name in NAMED.findall(path.read_text("utf-8"))}
    assert named - SQL.keys() == set()
    assert SQL.keys() - named == set()
