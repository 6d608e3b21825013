"""The parts of a character's exported sheet that an import reads.

Everything else in it (modifiers, DNs, what is usable now) follows from these and is ignored.
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
    """One Core. `effective` follows from the rest; if it is given, it must agree."""

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
    """A Comfort, without the day of its last use in the other campaign."""


class AdoptedLifeExperience(Struct, frozen=True):
    """The amount left, and the amount a play session begins with."""

    current: Points = 0
    max: Points = 0


class AdoptedCharacter(Struct, frozen=True):
    """A character. `out_of_scene` is ignored, because it was about a scene of the other campaign."""

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
