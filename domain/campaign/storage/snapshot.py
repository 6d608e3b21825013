"""Encodes a campaign's state as bytes, and decodes it.

A snapshot is the state's JSON. Its form is derived from the shape of the types that wrote it, not from their
names; a snapshot of another form, or of another way of folding, is not read, and the log is folded again.
"""

from collections.abc import Mapping
from hashlib import sha256

import msgspec
from msgspec import Raw, Struct, structs

from domain.campaign.state import CampaignState
from domain.campaign.storage.json_shape import shape_of
from domain.ids import SystemId
from domain.systems import SYSTEMS

FOLD_VERSION = 9
"""Raise this when any `evolve` gives another state for the same events, or any stored list other rows or bytes."""


def form_of(fold_version: int, campaign: type[Struct], systems: Mapping[SystemId, type[Struct]]) -> str:
    """The form of snapshots of these types and this way of folding; differs where the bytes may differ."""
    shapes = [fold_version, shape_of(campaign), {system: shape_of(state) for system, state in systems.items()}]
    return sha256(msgspec.json.encode(shapes, order="sorted")).hexdigest()[:16]


FORM = form_of(FOLD_VERSION, CampaignState, {system.id: system.state for system in SYSTEMS.values()})
"""The form that this code writes, and the only one that it reads."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(CampaignState)


class _Systems(Struct):
    """The part of a snapshot that is decoded by each system's type."""

    systems: dict[SystemId, Raw]


_systems_decoder = msgspec.json.Decoder(_Systems)


def encode_state(state: CampaignState) -> bytes:
    """The state as bytes. Equal histories give equal bytes."""
    return _encoder.encode(state)


def decode_state(snapshot: bytes) -> CampaignState:
    """The state that `encode_state` was given, in this `FORM`."""
    inner = {
        name: msgspec.json.decode(raw, type=SYSTEMS[name].state)
        for name, raw in _systems_decoder.decode(snapshot).systems.items()
    }
    return structs.replace(_decoder.decode(snapshot), systems=inner)
