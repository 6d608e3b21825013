"""Computing takes time: the functions that do most of a command's work let virtual time pass.

Otherwise nothing that is slow in truth would be slow here: a campaign copied three hundred times, a queue of a
thousand decided in one go. What they do and give stays as it is.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from domain.campaign import aggregate
from domain.campaign.knowledge import audience_states

DECISION_SECONDS = 0.0002
COPY_SECONDS = 0.0005
"""Measured on one core: a small campaign as bytes, or back."""


@contextmanager
def that_takes_time(pass_time: Callable[[float], None], slowness: float) -> Iterator[None]:
    """Let decisions and copies take `slowness` times as long as measured; 0: no time at all."""
    slow = [
        (aggregate, "decide", DECISION_SECONDS),
        (audience_states, "encode_state", COPY_SECONDS),
        (audience_states, "decode_state", COPY_SECONDS),
    ]
    before = [(module, name, getattr(module, name)) for module, name, _ in slow]
    try:
        if slowness:
            for module, name, seconds in slow:
                setattr(module, name, _slower(getattr(module, name), pass_time, seconds * slowness))
        yield
    finally:
        for module, name, function in before:
            setattr(module, name, function)


def _slower(function: Any, pass_time: Callable[[float], None], seconds: float) -> Any:
    def slowly(*args: Any, **named: Any) -> Any:
        pass_time(seconds)
        return function(*args, **named)

    return slowly
