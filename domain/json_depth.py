"""How deeply JSON may be nested that comes from outside, found out before anything decodes it."""

import re

DEPTH_MAX = 64
"""More than anything that has a meaning here. What a decoder bears differs from one Python to the next."""

_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"')


def is_too_deep(text: bytes) -> bool:
    """Whether JSON is nested deeper than `DEPTH_MAX`; of what is no JSON, about."""
    if text.count(b"[") + text.count(b"{") <= DEPTH_MAX:
        return False  # whatever it is, it cannot be too deep
    depth = 0
    for mark in re.findall(rb"[\[\]{}]", _STRINGS.sub(b"", text)):
        depth += 1 if mark in b"[{" else -1
        if depth > DEPTH_MAX:
            return True
    return False
