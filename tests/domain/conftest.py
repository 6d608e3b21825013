"""The option of the vector tests, and what they run without it."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Several test processes share a machine: how long one example takes says nothing here.
settings.register_profile("fieldlog", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("fieldlog")

VECTORS = Path(__file__).parent / "vectors"


def pytest_addoption(parser):
    parser.addoption(
        "--vectors",
        action="append",
        default=[],
        metavar="FILE",
        help="run the vectors of this file instead of the project's own; may be given several times",
    )


def pytest_generate_tests(metafunc):
    """One test a line; the vector's id is the test's title."""
    if "vector" not in metafunc.fixturenames:
        return
    chosen = metafunc.config.getoption("vectors", default=None)
    files = [Path(name) for name in chosen] if chosen else sorted(VECTORS.glob("*.jsonl"))
    vectors = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines() if line.strip()]
    if not vectors:
        pytest.fail(f"no vectors in {', '.join(map(str, files))}")
    metafunc.parametrize("vector", vectors, ids=[f"{each['system']}:{each['id']}" for each in vectors])
