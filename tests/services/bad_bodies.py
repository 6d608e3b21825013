"""Bodies of requests that cannot be, and how each is refused."""

import json
from uuid import uuid4

NOTE = {"command": {"type": "campaign.add_note", "text": "x"}}

BODIES: dict[str, tuple[bytes, int, str]] = {
    "cut off": (b'{"command":', 400, "malformed"),
    "empty": (b"", 400, "malformed"),
    "null": (b"null", 400, "malformed"),
    "a list": (b"[]", 400, "malformed"),
    "not UTF-8": (b'{"command":{"type":"campaign.add_note","text":"\xff"}}', 400, "malformed"),
    "an escaped NUL": (b'{"command":{"type":"campaign.add_note","text":"a\\u0000b"}}', 400, "malformed"),
    "a raw NUL": (b'{"command":{"type":"campaign.add_note","text":"a\x00b"}}', 400, "malformed"),
    "a NUL in a key": (b'{"a\\u0000b":1}', 400, "malformed"),
    "a lone surrogate": (b'{"command":{"type":"campaign.add_note","text":"\\ud800"}}', 400, "malformed"),
    "nested too deeply": (b"[" * 100_000, 400, "malformed"),
    **{
        f"a value nested {depth} deep": (
            b'{"command":{"type":"campaign.set_setting","key":"campaign.dice_origins","value":%s}}'
            % (b"[" * depth + b"]" * depth),
            status,
            code,
        )
        for depth, status, code in (
            (62, 422, "setting_invalid"),
            (63, 400, "malformed"),
            (5_000, 400, "malformed"),
            (100_000, 400, "malformed"),
        )
    },
    "an unknown field": (json.dumps({**NOTE, "surprise": 1}).encode(), 400, "malformed"),
    "an unknown field in the command": (
        b'{"command":{"type":"campaign.add_note","text":"x","surprise":1}}',
        400,
        "malformed",
    ),
    "an unknown command": (b'{"command":{"type":"campaign.explode"}}', 400, "malformed"),
    "a command without a type": (b'{"command":{"text":"x"}}', 400, "malformed"),
    "a wrong type": (b'{"command":{"type":"campaign.add_note","text":1}}', 400, "malformed"),
    "a huge number": (
        b'{"command":{"type":"frame_state.award_currency","pilot":"x","reason":"x","amount":%s}}' % (b"9" * 400),
        400,
        "malformed",
    ),
    "an infinite number": (
        b'{"command":{"type":"frame_state.award_currency","pilot":"x","reason":"x","amount":1e999}}',
        400,
        "malformed",
    ),
    "a die with too many sides": (json.dumps({**NOTE, "dice": [[10**9, 1]]}).encode(), 400, "malformed"),
    **{
        f"a die that cannot be, {die}": (
            json.dumps({"command": {"type": "campaign.roll", "notation": "d12"}, "dice": [die]}).encode(),
            422,
            "dice_mismatch",
        )
        for die in ([12, 13], [12, 0], [12, -1], [1, 1], [0, 0])
    },
    **{
        f"a starting currency of {value}": (
            json.dumps(
                {
                    "command": {
                        "type": "campaign.set_setting",
                        "key": "frame_state.starting_currency",
                        "value": value,
                    }
                }
            ).encode(),
            422,
            "setting_invalid",
        )
        for value in (-1, 10**9 + 1, 10**30)
    },
    "too many dice": (json.dumps({**NOTE, "dice": [[6, 1]] * 201}).encode(), 400, "malformed"),
    "a visibility of nobody's": (json.dumps({**NOTE, "visibility": "friends"}).encode(), 400, "malformed"),
    "a visibility of a stranger": (
        json.dumps({**NOTE, "visibility": f"account:{uuid4()}"}).encode(),
        422,
        "unknown_member",
    ),
    "a text too long": (
        json.dumps({"command": {"type": "campaign.add_note", "text": "x" * 2001}}).encode(),
        400,
        "malformed",
    ),
    "a text of nothing": (
        json.dumps({"command": {"type": "campaign.add_note", "text": ""}}).encode(),
        400,
        "malformed",
    ),
    "too large": (b" " * 300_000 + json.dumps(NOTE).encode(), 413, "too_large"),
}
