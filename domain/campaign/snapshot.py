"""A campaign's state as bytes, and back.

A snapshot is the state's JSON. Its form names the shape of the code that wrote it: another shape, or another
way of folding, does not read it but folds the log again.
"""

from hashlib import sha256

import msgspec
from msgspec import Raw, structs

from domain.campaign.state import CampaignState
from domain.ids import SystemId
from domain.systems import SYSTEMS

FOLD_VERSION = 2
"""Raise this when any `evolve` gives another state for the same events."""

FORM = sha256(
    msgspec.json.encode(
        [
            FOLD_VERSION,
            *msgspec.json.schema_components([CampaignState, *(system.state for system in SYSTEMS.values())]),
        ],
        order="sorted",
    )
).hexdigest()[:16]

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(CampaignState)


class _Systems(msgspec.Struct):
    """Only the part of a snapshot that the systems must read themselves."""

    systems: dict[SystemId, Raw]


_systems_decoder = msgspec.json.Decoder(_Systems)


def freeze(state: CampaignState) -> bytes:
    """The state as bytes. Equal histories give equal bytes."""
    return _encoder.encode(state)


def thaw(snapshot: bytes) -> CampaignState:
    """The state that `freeze` was given, in this `FORM`."""
    inner = {
        name: msgspec.json.decode(raw, type=SYSTEMS[name].state)
        for name, raw in _systems_decoder.decode(snapshot).systems.items()
    }
    return structs.replace(_decoder.decode(snapshot), systems=inner)
