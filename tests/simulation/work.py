"""Computing takes time: the functions that do most of a command's work let virtual time pass.

Otherwise nothing that is slow in truth would be slow here: a campaign copied three hundred times, a queue of a
thousand decided in one go. What they do and give stays as it is.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from domain.campaign import aggregate
from domain.campaign.knowledge import audience_states
from services.runtime import sliced_work

DECISION_SECONDS = 0.0002
COPY_SECONDS = 0.0005
"""Measured on one core: a small campaign as bytes, or back."""


@contextmanager
def that_takes_time(
    time: Callable[[], float], pass_time: Callable[[float], None], slowness: float
) -> Iterator[None]:
    """Let decisions and copies take `slowness` times as long as measured; 0: no time at all.

    Long work is cut into slices by `time`, too: by the machine's, a seed would go otherwise where it is busy.
    """
    slow = [
        (aggregate, "decide", DECISION_SECONDS),
        (audience_states, "encode_state", COPY_SECONDS),
        (audience_states, "decode_state", COPY_SECONDS),
    ]
    instead: list[tuple[Any, str, Any]] = [(sliced_work, "perf_counter", time), (sliced_work, "thread_time", time)]
    if slowness:
        instead += [
            (module, name, _slower(getattr(module, name), pass_time, seconds * slowness))
            for module, name, seconds in slow
        ]
    before = [(module, name, getattr(module, name)) for module, name, _ in instead]
    try:
        for module, name, function in instead:
            setattr(module, name, function)
        yield
    finally:
        for module, name, function in before:
            setattr(module, name, function)


def _slower(function: Any, pass_time: Callable[[float], None], seconds: float) -> Any:
    def slowly(*args: Any, **named: Any) -> Any:
        pass_time(seconds)
        return function(*args, **named)

    return slowly
