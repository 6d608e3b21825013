"""The boards of Angst: the scene's pending tests, and the web of relationships (AN-3, AN-13, AN-15)."""

from typing import Annotated, Literal

from msgspec import Struct

from domain.field_references import ref
from domain.ids import AccountId
from domain.systems.angst.pending_choices import purgeable
from domain.systems.angst.settings import Settings
from domain.systems.angst.state import Angst, Character
from domain.systems.angst.tables import CORES, CoreName, DieName, OfferTrigger, grade_modifier
from projections.awaited_answers import Able, Name, WaitingFor
from projections.systems.angst.awaited_answers import waits_for
from projections.systems.angst.sheet import (
    AngstView,
    CalledTestView,
    OpenTestView,
    UsableView,
    angst_view,
    called_test,
    open_test,
    usable,
)


class PersonRef(Struct, frozen=True):
    """A character."""

    character: str
    name: str
    player: AccountId | None


class CoreStands(Struct, frozen=True):
    """The die that a Core has by its rating, and the one that it rolls now."""

    rated: DieName
    effective: DieName


class SomebodyInScene(Struct, frozen=True):
    """A character's state in this scene, their Cores, and what they can still use."""

    who: PersonRef
    kind: Literal["pc", "gmc"]
    status: Literal["active", "out_of_scene", "dead"]
    cores: dict[CoreName, CoreStands]
    overwhelming: int
    usable: UsableView


class CalledStands(Struct, frozen=True):
    """A test that the GM called and that is not rolled yet."""

    who: PersonRef
    test: CalledTestView


class OpenStands(Struct, frozen=True):
    """A rolled test. `margin` is the total minus the DN as the dice lie; null where another's total decides.

    `reroll_dice_max` Story Points and `life_experience_max` are what may still be spent on it.
    """

    who: PersonRef
    test: OpenTestView
    margin: int | None
    reroll_dice_max: int
    life_experience_max: int


class OfferStands(Struct, frozen=True):
    """A purge that may be tried until the scene ends, of these types, each with the DN it would meet."""

    who: PersonRef
    trigger: OfferTrigger
    types: dict[Annotated[str, ref("angst_type")], AngstView]


class SceneBoard(Struct, frozen=True):
    """Everything that the scene waits for: `opposed_tests` are final, and have to be compared.

    `waits_for` lists the pending choices, with who is waited for and the accepted answers.
    """

    people: list[SomebodyInScene]
    called_tests: list[CalledStands]
    open_tests: list[OpenStands]
    opposed_tests: list[OpenStands]
    offers: list[OfferStands]
    waits_for: list[WaitingFor]


def scene(state: Angst, name: Name, settings: Settings, able: Able = None) -> SceneBoard:
    """The board of the scene. Between scenes, no limits of a scene are used up."""

    def person_ref(character: str) -> PersonRef:
        sheet = state.characters.get(character)
        return PersonRef(character, name(character), sheet.player_id if sheet is not None else None)

    rolled_tests = [
        _rolled_test(state, person_ref(test.character), open_test(state, test), settings) for test in state.tests
    ]
    return SceneBoard(
        people=[
            SomebodyInScene(
                who=person_ref(character.character_id),
                kind=character.kind,
                status=character.status,
                cores={
                    core: CoreStands(character.cores[core].rated, character.cores[core].effective)
                    for core in CORES
                    if core in character.cores
                },
                overwhelming=character.overwhelming,
                usable=usable(character, settings),
            )
            for character in state.everybody
        ],
        called_tests=[CalledStands(person_ref(call.character), called_test(call)) for call in state.called],
        open_tests=[roll for roll in rolled_tests if not roll.test.final],
        opposed_tests=[roll for roll in rolled_tests if roll.test.final],
        offers=[
            OfferStands(person_ref(character.character_id), offer.trigger, _purgeable(character, offer.angst))
            for character in state.everybody
            for offer in character.purge_offers
            if purgeable(character, offer)
        ],
        waits_for=waits_for(state, name, settings, able),
    )


def _rolled_test(state: Angst, who: PersonRef, test: OpenTestView, settings: Settings) -> OpenStands:
    """A rolled test with what its owner could spend on it now."""
    character = state.characters.get(who.character)
    limits = usable(character, settings) if character is not None else None
    return OpenStands(
        who=who,
        test=test,
        margin=test.total - test.dn if test.dn is not None else None,
        reroll_dice_max=min(len(test.may_reroll), limits.reroll_dice_max) if limits is not None else 0,
        life_experience_max=limits.life_experience_max
        if limits is not None and test.may_add_life_experience
        else 0,
    )


def _purgeable(character: Character, angst: str | None) -> dict[str, AngstView]:
    """The types of Angst that an offer may purge; none, if no points of them are left."""
    return {
        angst_type: angst_view(points)
        for angst_type, points in sorted(character.angst.items())
        if angst in (None, angst_type) and points
    }


class Node(Struct, frozen=True):
    """A node of the web: a character, or a person without a sheet that a character cares about (`kind` null)."""

    id: str
    name: str
    kind: Literal["pc", "gmc"] | None
    status: Literal["active", "out_of_scene", "dead"] | None


class Bond(Struct, frozen=True):
    """One person's feeling toward another: the grade, its modifier to tests, and the play session it dates from.

    Session 0 is before any. `answered` is the grade in the other direction, if there is one.
    """

    who: str
    toward: str
    grade: str
    modifier: int
    since_session: int
    answered: str | None


class RelationshipWeb(Struct, frozen=True):
    """All people in Relationships, and every Relationship as its owner feels it."""

    people: list[Node]
    bonds: list[Bond]


def relationships(
    state: Angst,
    name: Name,
    settings: Settings | None = None,  # noqa: ARG001 — the shape of a board
    able: Able = None,  # noqa: ARG001 — the shape of a board
) -> RelationshipWeb:
    """The web. A target that is given by name is the character of that name, if there is one."""
    by_name = {character.name: character.character_id for character in reversed(state.everybody)}
    felt = {
        (
            character.character_id,
            target if target in state.characters else by_name.get(target, target),
        ): relationship
        for character in state.everybody
        for target, relationship in sorted(character.relationships.items())
    }
    others = sorted({target for _, target in felt if target not in state.characters})
    return RelationshipWeb(
        people=[
            *(
                Node(character.character_id, character.name, character.kind, character.status)
                for character in state.everybody
            ),
            *(Node(target, name(target), None, None) for target in others),
        ],
        bonds=[
            Bond(
                who=who,
                toward=toward,
                grade=relationship.grade,
                modifier=grade_modifier(relationship.grade),
                since_session=relationship.since_session,
                answered=felt[toward, who].grade if (toward, who) in felt else None,
            )
            for (who, toward), relationship in felt.items()
        ],
    )
