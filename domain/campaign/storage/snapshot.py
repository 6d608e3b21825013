"""A campaign's state as bytes, and back.

A snapshot is the state's JSON. Its form names the shape of the types that wrote it, whatever these are called:
another shape, or another way of folding, does not read it but folds the log again.
"""

from collections.abc import Mapping
from hashlib import sha256

import msgspec
from msgspec import Raw, Struct, structs

from domain.campaign.state import CampaignState
from domain.campaign.storage.json_shape import shape_of
from domain.ids import SystemId
from domain.systems import SYSTEMS

FOLD_VERSION = 5
"""Raise this when any `evolve` gives another state for the same events, or any stored list other rows."""


def form_of(fold_version: int, campaign: type[Struct], systems: Mapping[SystemId, type[Struct]]) -> str:
    """The form of snapshots that are folded so, into states of these types: another one where bytes may differ."""
    shapes = [fold_version, shape_of(campaign), {system: shape_of(state) for system, state in systems.items()}]
    return sha256(msgspec.json.encode(shapes, order="sorted")).hexdigest()[:16]


FORM = form_of(FOLD_VERSION, CampaignState, {system.id: system.state for system in SYSTEMS.values()})
"""The form that this code writes, and the only one that it reads."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(CampaignState)


class _Systems(Struct):
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
