"""Which cases of a test that is made for many the quick tests take, `.ci/run` besides, and only `.ci/release`."""

import os
from collections.abc import Collection, Iterable
from typing import Any

import pytest

RELEASE = bool(os.environ.get("FIELDLOG_RELEASE"))
"""Whether all that is made for a release is tried."""


def only_in_release(*values: object) -> Any:
    """One case of a test, or a whole one, that takes so long that only `.ci/release` tries it."""
    return pytest.param(*values, marks=[pytest.mark.slow, pytest.mark.release])


def slow_but(names: Iterable[object], *quick: object, in_release: Collection[object] = ()) -> list[Any]:
    """Parameters of a test or fixture: all of `names`, of which only the `quick` ones are not marked slow.

    Those `in_release` are tried before a release only. Raises ValueError where one that is named so is not among
    the names.
    """
    listed = list(names)
    if not {*quick, *in_release} <= set(listed):
        message = f"{ {*quick, *in_release} - set(listed) } not among {listed}"
        raise ValueError(message)
    slow = [name if name in quick else pytest.param(name, marks=pytest.mark.slow) for name in listed]
    return [only_in_release(name) if name in in_release else case for name, case in zip(listed, slow, strict=True)]
