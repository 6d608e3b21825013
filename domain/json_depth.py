"""A limit on the nesting of JSON from outside, checked before it is decoded."""

import re

DEPTH_MAX = 64
"""Deeper than any valid input. Decoders' own limits differ between Python versions."""

_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?')
"""Without stepping back, and with the end of a text that is no JSON: else it costs the square of its length."""


def is_too_deep(text: bytes) -> bool:
    """Whether JSON is nested deeper than `DEPTH_MAX`; an estimate where the text is no JSON."""
    if text.count(b"[") + text.count(b"{") <= DEPTH_MAX:
        return False  # fewer brackets than levels: cannot be too deep
    depth = 0
    for mark in re.findall(rb"[\[\]{}]", _STRINGS.sub(b"", text)):
        depth += 1 if mark in b"[{" else -1
        if depth > DEPTH_MAX:
            return True
    return False
