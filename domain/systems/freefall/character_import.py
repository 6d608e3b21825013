"""Imports a character from a sheet of another campaign.

The sheet is what `GET …/sheets/{character}` returns; values that follow from the rest of it are ignored. Machines,
treatments and repairs are not imported.

Codes: sheet_invalid, specialty_not_of_class, unknown_class, current_above_maximum. Every one comes with the
`path` in the sheet that it is about.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, field

from domain.command_context import CommandContext
from domain.ids import AccountId, derive_id
from domain.mechanics.sheet_import import read_sheet, refuse_sheet
from domain.personal_text import FreeText, Key, Name
from domain.sentences import join_parts, say
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
from domain.systems.freefall.term_words import attribute_word, class_word


class AdoptedPoints(Struct, frozen=True):
    """One attribute."""

    permanent: Level
    current: Level


class AdoptedItem(Struct, frozen=True):
    """An item in a sheet."""

    name: Name
    kind: ItemKind = "gear"
    subtype: Subtype | None = None
    binding: Binding = Binding()
    enables: Tags = []
    bonus: Annotated[dict[Name, Level], Meta(max_length=50)] = {}
    av: Annotated[dict[HarmType, Level], Meta(max_length=3)] = {}
    weapon: Weapon | None = None
    hardened: bool = False
    invasive: bool = False
    removal: Removal = "downtime"
    description: FreeText | None = None
    bound: bool = False
    state: ItemState = "functional"


class AdoptedHarm(Struct, frozen=True):
    """A filled slot."""

    type: HarmType
    state: HarmState = "temporary"
    note: FreeText | None = None


class AdoptedCharacter(Struct, frozen=True):
    """The parts of a sheet that an import reads."""

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
    npc: bool = False


def adopt(
    state: FreefallState, sheet: dict[str, Any], context: CommandContext
) -> list[CharacterAdopted | HarmConsequenceWritten]:
    """The events that import the character of a sheet for its player, whom the campaign has filled in."""
    adoptee = read_sheet(sheet, AdoptedCharacter, context, "FF-C1")
    _check_class(state, adoptee)
    character = _character(adoptee, context)
    _check_numbers(character)
    notes = [
        HarmConsequenceWritten(character.character_id, f"{harm.harm_id}", nth, old.note)
        for nth, (harm, old) in enumerate(zip(character.slots, [*adoptee.slots, *[None] * SLOTS], strict=False), 1)
        if harm is not None and old is not None and old.note is not None
    ]
    return [CharacterAdopted(sheet=character), *notes]


def _check_class(state: FreefallState, adoptee: AdoptedCharacter) -> None:
    """Raise unless the class fits this campaign's classes, where it has any."""
    if not state.classes:
        return
    if adoptee.class_ not in state.classes:
        refuse_sheet(
            "unknown_class", "class", say("There is no class “{class_}” here.", class_=adoptee.class_), "FF-C1"
        )
    foreign = [specialty for specialty in adoptee.specialties if specialty not in state.classes[adoptee.class_]]
    if foreign:
        refuse_sheet(
            "specialty_not_of_class",
            "specialties",
            say(
                "{class_} does not offer {specialties}.",
                class_=class_word(adoptee.class_),
                specialties=join_parts(map(class_word, foreign)),
            ),
            "FF-C1",
        )


def _character(adoptee: AdoptedCharacter, context: CommandContext) -> Character:
    """The sheet with this campaign's ids."""
    absent = [attribute for attribute in ATTRIBUTES if attribute not in adoptee.attributes]
    if absent:
        refuse_sheet(
            "sheet_invalid", f"attributes.{absent[0]}", say("Body, Mind and Ghost are all needed."), "FF-C1"
        )
    items = {}
    for nth, (_, item) in enumerate(sorted(adoptee.gear.items())):
        fields = {key: getattr(item, key) for key in ItemDraft.__struct_fields__}
        what = ItemDraft(**fields | {"description": item.description or UNSET})
        items[derive_id("item", context.action_id, nth)] = Item(what=what, bound=item.bound, state=item.state)
    slots: list[Harm | None] = [
        Harm(derive_id("harm", context.action_id, nth), harm.type, harm.state) if harm is not None else None
        for nth, harm in enumerate(adoptee.slots)
    ]
    return Character(
        character_id=derive_id("character", context.action_id),
        player=adoptee.player,
        name=adoptee.name,
        class_=adoptee.class_,
        attributes={
            attribute: Points(adoptee.attributes[attribute].permanent, adoptee.attributes[attribute].current)
            for attribute in ATTRIBUTES
        },
        specialties=list(dict.fromkeys(adoptee.specialties)),
        items=items,
        slots=[*slots, *[None] * (SLOTS - len(slots))],
        status=adoptee.status,
        fate=adoptee.fate,
        crew=adoptee.crew,
        npc=adoptee.npc and adoptee.player is None,
        hidden=context.visibility != "all",
    )


def _check_numbers(character: Character) -> None:
    """Raise unless current is within the maximum, and three permanent harms only on an ousted character."""
    for attribute in ATTRIBUTES:
        limit = max_current(FreefallState(), character, attribute)
        if character.attributes[attribute].current > limit:
            refuse_sheet(
                "current_above_maximum",
                f"attributes.{attribute}.current",
                say(
                    "With everything that binds it, {attribute} is {limit} at most.",
                    attribute=attribute_word(attribute),
                    limit=limit,
                ),
                "FF-C1",
            )
    if (permanents(character) == SLOTS) != (character.status == "ousted"):
        refuse_sheet(
            "sheet_invalid",
            "status",
            say("A character with three permanent harms is ousted, and any other is active."),
            "FF-C1",
        )
    if character.fate is not None and character.status == "active":
        refuse_sheet("sheet_invalid", "fate", say("Only an ousted character has a fate."), "FF-C1")


def character_adopted(state: FreefallState, event: CharacterAdopted) -> None:
    """Add an imported character, as a copy for the state."""
    if event.sheet.character_id not in state.characters:
        state.characters[event.sheet.character_id] = own(event.sheet)
