"""Which cases of a test that is made for many the quick tests take; `.ci/run` takes the others, too."""

from collections.abc import Iterable
from typing import Any

import pytest


def slow_but(names: Iterable[object], *quick: object) -> list[Any]:
    """Parameters of a test or fixture: all of `names`, of which only the `quick` ones are not marked slow.

    Raises ValueError where one of `quick` is not among the names.
    """
    listed = list(names)
    if not set(quick) <= set(listed):
        message = f"{set(quick) - set(listed)} not among {listed}"
        raise ValueError(message)
    return [each if each in quick else pytest.param(each, marks=pytest.mark.slow) for each in listed]
