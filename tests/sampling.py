"""Which cases of a test that is made for many the quick tests take, `.ci/run` besides, and only `.ci/release`."""

import os
from collections.abc import Iterable
from typing import Any

import pytest

RELEASE = bool(os.environ.get("FIELDLOG_RELEASE"))
"""Whether all that is made for a release is tried."""


def only_in_release(*values: object) -> Any:
    """One case of a test, or a whole one, that takes so long that only `.ci/release` tries it."""
    return pytest.param(*values, marks=[pytest.mark.slow, pytest.mark.release])


def slow_but(names: Iterable[object], *quick: object) -> list[Any]:
    """Parameters of a test or fixture: all of `names`, of which only the `quick` ones are not marked slow.

    Raises ValueError where one of `quick` is not among the names.
    """
    listed = list(names)
    if not set(quick) <= set(listed):
        message = f"{set(quick) - set(listed)} not among {listed}"
        raise ValueError(message)
    return [each if each in quick else pytest.param(each, marks=pytest.mark.slow) for each in listed]
