"""The sheet of a character as another campaign gave it out: the part of it that is taken over.

Everything else in it (modifiers, DNs, what is usable now) follows from this and is passed over.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.ids import AccountId
from domain.personal_text import Amount, Name
from domain.systems.angst.state import Trait
from domain.systems.angst.tables import CoreName, DieName

Steps = Annotated[int, Meta(ge=0, le=5)]
Points = Annotated[int, Meta(ge=0, le=10_000)]
Names = Annotated[list[Name], Meta(max_length=50)]
Traits = Annotated[dict[Name, Trait], Meta(max_length=50)]


class AdoptedLoss(Struct, frozen=True):
    """Steps that are lost, by kind."""

    nondeadly: Steps = 0
    deadly: Steps = 0


class AdoptedCore(Struct, frozen=True):
    """One Core. `effective` follows from the rest; where it is there, it must agree."""

    rated: DieName
    lost: AdoptedLoss = AdoptedLoss()
    spared: bool = False
    effective: DieName | None = None


class AdoptedAngst(Struct, frozen=True):
    """Points of one type."""

    points: Points = 0


class AdoptedRelationship(Struct, frozen=True):
    """A grade toward a character or a group."""

    grade: Name


class AdoptedComfort(Struct, frozen=True):
    """A Comfort; the days of another campaign mean nothing here."""


class AdoptedLifeExperience(Struct, frozen=True):
    """What is left, and how much a play session begins with."""

    current: Points = 0
    max: Points = 0


class AdoptedCharacter(Struct, frozen=True):
    """A character. `out_of_scene` was a scene of another campaign, and is over."""

    name: Name
    cores: Annotated[dict[CoreName, AdoptedCore], Meta(min_length=4)]
    player: AccountId | None = None
    kind: Literal["pc", "gmc"] = "pc"
    rocks: Traits = {}
    sucks: Traits = {}
    perks: Names = []
    factoids: Names = []
    angst: Annotated[dict[Name, AdoptedAngst], Meta(max_length=50)] = {}
    stressors: Names = []
    comforts: Annotated[dict[Name, AdoptedComfort], Meta(max_length=50)] = {}
    relationships: Annotated[dict[Name, AdoptedRelationship], Meta(max_length=200)] = {}
    story_points: Amount = 0
    life_experience: AdoptedLifeExperience = AdoptedLifeExperience()
    status: Literal["active", "out_of_scene", "dead"] = "active"
