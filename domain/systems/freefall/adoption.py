"""A character comes over from another campaign, with everything that their sheet says.

The sheet is what `GET …/sheets/{character}` returns; what follows from the rest of it is passed over. Machines,
treatments and repairs stay behind.

Codes: sheet_invalid, specialty_not_of_class, unknown_class, current_above_maximum. Every one comes with the
`path` in the sheet that it is about.
"""

from typing import Annotated, Any, Literal, NoReturn

import msgspec
from msgspec import Meta, Struct, field

from domain.command_context import Asked
from domain.decode_errors import misshapen
from domain.ids import AccountId, born
from domain.personal_text import FreeText, Key, Name
from domain.rejection import Rejection
from domain.sentences import Sentence, joined, say
from domain.systems.freefall.attributes import max_current, permanents
from domain.systems.freefall.events import CharacterAdopted, HarmConsequenceWritten
from domain.systems.freefall.harm import own
from domain.systems.freefall.state import (
    Binding,
    Character,
    FreefallState,
    Harm,
    Item,
    ItemDraft,
    Level,
    Points,
    Tags,
    Weapon,
)
from domain.systems.freefall.tables import (
    ATTRIBUTES,
    SLOTS,
    AttributeName,
    Fate,
    HarmState,
    HarmType,
    ItemKind,
    ItemState,
    Removal,
    Subtype,
)
from domain.systems.freefall.terms import attribute_word, class_word


class AdoptedPoints(Struct, frozen=True):
    """One attribute."""

    permanent: Level
    current: Level


class AdoptedItem(Struct, frozen=True):
    """An item, as a sheet shows it."""

    name: Name
    kind: ItemKind = "gear"
    subtype: Subtype | None = None
    binding: Binding = Binding()
    enables: Tags = []
    bonus: Annotated[dict[Key, Level], Meta(max_length=50)] = {}
    av: Annotated[dict[HarmType, Level], Meta(max_length=3)] = {}
    weapon: Weapon | None = None
    hardened: bool = False
    invasive: bool = False
    removal: Removal = "downtime"
    bound: bool = False
    state: ItemState = "functional"


class AdoptedHarm(Struct, frozen=True):
    """A filled slot."""

    type: HarmType
    state: HarmState = "temporary"
    note: FreeText | None = None


class AdoptedCharacter(Struct, frozen=True):
    """The part of a sheet that is taken over."""

    name: Name
    attributes: dict[AttributeName, AdoptedPoints]
    class_: Name = field(name="class")
    player: AccountId | None = None
    specialties: Annotated[list[Name], Meta(max_length=50)] = []
    gear: Annotated[dict[str, AdoptedItem], Meta(max_length=200)] = {}
    slots: Annotated[list[AdoptedHarm | None], Meta(max_length=SLOTS)] = []
    status: Literal["active", "ousted"] = "active"
    fate: Fate | None = None
    crew: Key | None = None


def adopt(
    state: FreefallState, sheet: dict[str, Any], asked: Asked
) -> list[CharacterAdopted | HarmConsequenceWritten]:
    """The character of a sheet, for `sheet["player"]`, whom the campaign has put there."""
    try:
        found = msgspec.convert(sheet, AdoptedCharacter)
    except msgspec.ValidationError as problem:
        reason, path = misshapen(problem)
        _refuse("sheet_invalid", path, reason)
    _check_class(state, found)
    character = _character(found, asked)
    _check_numbers(character)
    notes = [
        HarmConsequenceWritten(character.character_id, f"{harm.harm_id}", nth, old.note)
        for nth, (harm, old) in enumerate(zip(character.slots, [*found.slots, *[None] * SLOTS], strict=False), 1)
        if harm is not None and old is not None and old.note is not None
    ]
    return [CharacterAdopted(sheet=character), *notes]


def _refuse(code: str, path: str, reason: str | Sentence) -> NoReturn:
    """What the sheet cannot mean, and where."""
    told = say("The sheet's {path}: {reason}", path=path, reason=reason)
    if not path:
        told = say("The sheet: {reason}", reason=reason)
    raise Rejection(code, told, rule="FF-C1", path=path, reason=str(reason))


def _check_class(state: FreefallState, found: AdoptedCharacter) -> None:
    """Where this campaign has classes, they hold."""
    if not state.classes:
        return
    if found.class_ not in state.classes:
        _refuse("unknown_class", "class", say("There is no class “{class_}” here.", class_=found.class_))
    foreign = [each for each in found.specialties if each not in state.classes[found.class_]]
    if foreign:
        _refuse(
            "specialty_not_of_class",
            "specialties",
            say(
                "{class_} does not offer {specialties}.",
                class_=class_word(found.class_),
                specialties=joined(map(class_word, foreign)),
            ),
        )


def _character(found: AdoptedCharacter, asked: Asked) -> Character:
    """The sheet with this campaign's ids."""
    absent = [attribute for attribute in ATTRIBUTES if attribute not in found.attributes]
    if absent:
        _refuse("sheet_invalid", f"attributes.{absent[0]}", say("Body, Mind and Ghost are all needed."))
    kept = set(ItemDraft.__struct_fields__)
    items = {}
    for nth, (_, each) in enumerate(sorted(found.gear.items())):
        what = msgspec.convert({key: getattr(each, key) for key in kept}, ItemDraft)
        items[born("item", asked.action_id, nth)] = Item(what=what, bound=each.bound, state=each.state)
    slots: list[Harm | None] = [
        Harm(born("harm", asked.action_id, nth), each.type, each.state) if each is not None else None
        for nth, each in enumerate(found.slots)
    ]
    return Character(
        character_id=born("character", asked.action_id),
        player=found.player,
        name=found.name,
        class_=found.class_,
        attributes={
            attribute: Points(found.attributes[attribute].permanent, found.attributes[attribute].current)
            for attribute in ATTRIBUTES
        },
        specialties=list(dict.fromkeys(found.specialties)),
        items=items,
        slots=[*slots, *[None] * (SLOTS - len(slots))],
        status=found.status,
        fate=found.fate,
        crew=found.crew,
        hidden=asked.visibility != "all",
    )


def _check_numbers(character: Character) -> None:
    """Current within the maximum, and three permanent harms only on somebody who is out."""
    for attribute in ATTRIBUTES:
        limit = max_current(FreefallState(), character, attribute)
        if character.attributes[attribute].current > limit:
            _refuse(
                "current_above_maximum",
                f"attributes.{attribute}.current",
                say(
                    "With everything that binds it, {attribute} is {limit} at most.",
                    attribute=attribute_word(attribute),
                    limit=limit,
                ),
            )
    if (permanents(character) == SLOTS) != (character.status == "ousted"):
        _refuse(
            "sheet_invalid",
            "status",
            say("A character with three permanent harms is ousted, and any other is active."),
        )
    if character.fate is not None and character.status == "active":
        _refuse("sheet_invalid", "fate", say("Only an ousted character has a fate."))


def character_adopted(state: FreefallState, event: CharacterAdopted) -> None:
    """A character with a past; a copy of the state's own."""
    if event.sheet.character_id not in state.characters:
        state.characters[event.sheet.character_id] = own(event.sheet)
