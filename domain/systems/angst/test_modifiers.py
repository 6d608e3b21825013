"""Changes to a test before its roll: dice and flat modifiers (AN-8 … AN-14).

Codes: only_one_rock, only_one_suck, unknown_rock, unknown_suck, wrong_core, unknown_relationship, unknown_perk,
grades_are_the_gms, no_supportive_relationship, supporter_not_present, same_relationship_twice, factoid_gmc_only,
factoid_already_used, no_factoid, already_tapped_this_scene, no_angst_to_tap, no_tapping_in_angst_test.
"""

from typing import Literal, NamedTuple

from msgspec import UNSET, Struct, UnsetType

from domain.command_context import CommandContext
from domain.mechanics.refused_fields import About
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems.angst.access import nameable, require_angst_type
from domain.systems.angst.commands import AvoidAngst, MakeTest, MoralSupport, PurgeAngst
from domain.systems.angst.rolls import CountedModifier, Tap
from domain.systems.angst.settings import Settings
from domain.systems.angst.state import Angst, Character, Trait
from domain.systems.angst.tables import (
    DIRECT_SUPPORT_MAX,
    CoreName,
    DieName,
    at_rank,
    grade_modifier,
    parsed_grade,
    rank,
)

AnyTest = MakeTest | AvoidAngst | PurgeAngst
CALLING = ("dn", "opposed", "core", "crucial")
"""The fields that decide which called test is meant where neither it nor its character is named."""

Factoid = Literal["helpful", "detrimental"]


class Bent(Struct, frozen=True):
    """A test that may be rolled."""

    core: CoreName
    core_die: DieName
    bonus: bool
    penalty: bool
    explosive: bool
    modifiers: list[CountedModifier]
    off_core: bool
    """Whether a Story Point pays for a Rock or Suck of another Core."""
    rock: str | None
    suck: str | None
    relationship: str | UnsetType
    """The person of the relevant Relationship."""
    supporter: str | UnsetType
    """The one whose moral support counts."""


class Counts(NamedTuple):
    """The bonus of a Relationship to a test, and its person; None for a grade without one."""

    bonus: int
    who: str | None


def bend(
    state: Angst,
    context: CommandContext,
    character: Character,
    core: CoreName,
    command: AnyTest,
    *,
    tap: Tap | None = None,
    bonus: bool = False,
    penalty: bool = False,
) -> Bent:
    """The checked dice and modifiers of a test; `bonus` and `penalty` are sources besides the command.

    Each of the two d4 counts once, however many sources it has; both together cancel (AN-A5).
    """
    who = _who_acts(command)
    with About(*who, "rock"):
        rock = _trait(command.rock, character.rocks, "rock")
    with About(*who, "suck"):
        suck = _trait(command.suck, character.sucks, "suck")
    off_core = _off_core(core, command, [trait for trait in (rock, suck) if trait is not None])
    with About(*who, "perk"):
        _check_perk(character, command.perk)
    with About(*who, "factoid"):
        _check_factoid(character, command.factoid)
    with About(*who, "relationship"):
        relationship = _relationship(state, context, character, command.relationship)
    with About(*who, "moral_support"):
        bonuses = _encouragements(state, context, character, command.moral_support)
    with About(*who, "relationship", "moral_support"):
        moral = _moral_support(state, bonuses, command.moral_support, command.relationship)
    settings: Settings = context.settings
    bonus = (
        bonus
        or (rock is not None and rock[1].really)
        or (tap is not None and tap.use == "positive")
        or command.factoid == "helpful"
    )
    penalty = (
        penalty
        or (suck is not None and suck[1].really)
        or (tap is not None and tap.use == "negative")
        or command.factoid == "detrimental"
    )
    return Bent(
        core=core,
        core_die=_stepped(character.core(core).effective, rock is not None, suck is not None, settings),
        bonus=bonus and not penalty,
        penalty=penalty and not bonus,
        explosive=command.perk is not None,
        modifiers=_modifiers(character, command, relationship.bonus, moral.bonus),
        off_core=off_core,
        rock=rock[0] if rock is not None else None,
        suck=suck[0] if suck is not None else None,
        relationship=relationship.who or UNSET,
        supporter=moral.who or UNSET,
    )


def _who_acts(command: AnyTest) -> tuple[str, ...]:
    """The fields that decide whose test it is."""
    if not isinstance(command, MakeTest):
        return ("character",)
    if command.test_id is not None:
        return ("test_id",)
    return ("test_id", "character", *(() if command.character is not None else CALLING))


def _check_perk(character: Character, perk: str | None) -> None:
    """Raise `unknown_perk`."""
    if perk is not None and perk not in character.perks:
        raise Rejection(
            "unknown_perk",
            say("{name} has no Perk called “{perk}”.", name=character.name, perk=perk),
            rule="AN-11",
            choices=list(character.perks),
        )


def _trait(
    choice: str | list[str] | None, traits: dict[str, Trait], what: Literal["rock", "suck"]
) -> tuple[str, Trait] | None:
    """The only Rock or Suck of a test. Raises `only_one_rock`, `unknown_rock` and the like for Sucks."""
    names = [choice] if isinstance(choice, str) else (choice or [])
    if len(names) > 1 and what == "rock":
        raise Rejection("only_one_rock", "Only one Rock counts in a test.", rule="AN-9")
    if len(names) > 1:
        raise Rejection("only_one_suck", "Only one Suck counts in a test.", rule="AN-9")
    if not names:
        return None
    trait = traits.get(names[0])
    if trait is not None:
        return names[0], trait
    choices = sorted(traits)
    if what == "rock":
        raise Rejection(
            "unknown_rock",
            say("There is no Rock called “{name}” on the sheet.", name=names[0]),
            rule="AN-9",
            choices=choices,
        )
    raise Rejection(
        "unknown_suck",
        say("There is no Suck called “{name}” on the sheet.", name=names[0]),
        rule="AN-9",
        choices=choices,
    )


def _off_core(core: CoreName, command: AnyTest, traits: list[tuple[str, Trait]]) -> bool:
    """Whether a Story Point pays for one trait of another Core. Raises `wrong_core`."""
    strange = [name for name, trait in traits if trait.core != core]
    if strange and not command.off_core_story_point:
        raise Rejection(
            "wrong_core",
            say(
                "“{name}” belongs to another Core; a Story Point lets it count anyway.",
                name=strange[0],
            ),
            rule="AN-9",
        )
    if len(strange) > 1:
        raise Rejection(
            "wrong_core",
            "A Story Point lets one Rock or Suck of another Core count, once per test; these are two.",
            rule="AN-9",
        )
    return bool(strange)


def _stepped(effective: DieName, rock: bool, suck: bool, settings: Settings) -> DieName:
    """The Core die after its steps, which are added up before the ends of the ladder count (AN-A2 … AN-A4)."""
    steps = int(rock) - int(suck)
    if steps < 0 and settings.suck_floor == "d4" and rank(effective) > 0:
        return at_rank(max(1, rank(effective) + steps))
    return at_rank(rank(effective) + steps)


def _check_factoid(character: Character, factoid: Factoid | None) -> None:
    """Raise `factoid_gmc_only`, `no_factoid` or `factoid_already_used` (AN-14)."""
    if factoid is None:
        return
    if character.kind != "gmc":
        raise Rejection("factoid_gmc_only", "Factoids bend the tests of GMCs only.", rule="AN-14")
    if not character.factoids:
        raise Rejection("no_factoid", say("{name} has no Factoid.", name=character.name), rule="AN-14")
    if character.factoid_used_this_scene:
        raise Rejection(
            "factoid_already_used",
            say("A Factoid of {name} has already been used in this scene.", name=character.name),
            rule="AN-14",
        )


def check_tap(state: Angst, character: Character, tap: Tap, rule: str = "AN-13") -> None:
    """Raise `unknown_angst`, `already_tapped_this_scene` or `no_angst_to_tap`."""
    require_angst_type(state, tap.angst, rule)
    if character.tapped_this_scene:
        raise Rejection(
            "already_tapped_this_scene",
            say(
                "{name} has already tapped Angst in this scene, and it can be done only once.", name=character.name
            ),
            rule=rule,
        )
    if character.angst.get(tap.angst, 0) < 1:
        raise Rejection(
            "no_angst_to_tap",
            say("{name} has no points of {angst}.", name=character.name, angst=tap.angst),
            rule="AN-A10",
        )


def refuse_tap(tap: Tap | None) -> None:
    """Raise `no_tapping_in_angst_test` for a tap in an Angst test."""
    if tap is not None:
        raise Rejection("no_tapping_in_angst_test", "Angst cannot be tapped in a test about Angst.", rule="AN-16")


def _modifiers(character: Character, command: AnyTest, relationship: int, moral: int) -> list[CountedModifier]:
    """The flat modifiers of a test, in the rulebook's order, without those of 0 (AN-10)."""
    modifiers = [
        ("relationship", relationship),
        ("overwhelming_angst", character.overwhelming if isinstance(command, MakeTest) else 0),
        ("direct_support", min(command.direct_support, DIRECT_SUPPORT_MAX)),
        ("moral_support", moral),
    ]
    return [CountedModifier(source, value) for source, value in modifiers if value]


def _relationship(state: Angst, context: CommandContext, character: Character, relevant: str | None) -> Counts:
    """The relevant Relationship, by its person; a GM may give a grade instead.

    Raises `unknown_relationship` or `grades_are_the_gms`.
    """
    if relevant is None:
        return Counts(0, None)
    toward = relationship_key(state, character, relevant)
    if toward is not None:
        return Counts(grade_modifier(character.relationships[toward].grade), toward)
    grade = _grade_by_itself(context, relevant)
    if grade is None:
        raise Rejection(
            "unknown_relationship",
            say(
                "{name} has no Relationship with “{relevant}”; name one that is on the sheet.",
                name=character.name,
                relevant=_name_of(state, relevant),
            ),
            rule="AN-10",
            choices=sorted(character.relationships),
        )
    return Counts(grade_modifier(grade), None)


def _grade_by_itself(context: CommandContext, text: str) -> str | None:
    """A grade given instead of a person, if it is one. Raises `grades_are_the_gms` for a player."""
    grade = parsed_grade(text)
    if grade is None or context.is_gm or context.decided_before:
        return grade
    raise Forbidden(
        "grades_are_the_gms",
        "Only the GM gives a grade by itself; name a Relationship of the sheet, or a character who is present.",
        rule="AN-10",
    )


def _name_of(state: Angst, who: str) -> str:
    """The name of a character; any other name stays as it is."""
    character = state.characters.get(who)
    return character.name if character is not None else who


def relationship_key(state: Angst, character: Character, target: str) -> str | None:
    """The name or id under which a sheet has a Relationship with a person, if it has one."""
    names = [target]
    for who, other in sorted(state.characters.items()):
        if target in (who, other.name):
            names += [who, other.name]
    return next((name for name in names if name in character.relationships), None)


def _encouragements(
    state: Angst, context: CommandContext, character: Character, support: MoralSupport | None
) -> dict[str, Counts]:
    """The bonus of each supporter's encouragement; a poor grade toward who acts adds nothing (AN-A8)."""
    if support is None:
        return {}
    bonuses = {who: _encouragement(state, context, character, who) for who in support.grades}
    if not any(counts.bonus > 0 for counts in bonuses.values()):
        raise Rejection(
            "no_supportive_relationship",
            say("Nobody present has a Relationship of B- or better toward {name}.", name=character.name),
            rule="AN-10",
        )
    if support.use is not None and support.use not in bonuses:
        raise Rejection(
            "supporter_not_present",
            say("“{use}” is not among those who encourage.", use=_name_of(state, support.use)),
            rule="AN-10",
            choices=list(support.grades),
        )
    return bonuses


def _moral_support(
    state: Angst, bonuses: dict[str, Counts], support: MoralSupport | None, relevant: str | None
) -> Counts:
    """The encouragement of the one supporter that counts."""
    if support is None:
        return Counts(0, None)
    supporters = [support.use] if support.use is not None else list(bonuses)
    free = [who for who in supporters if not _are_the_same(state, bonuses[who].who, relevant)]
    if not free:
        raise Rejection(
            "same_relationship_twice",
            "The same two people count once in a test: as a Relationship, or as Moral Support.",
            rule="AN-A8",
        )
    best = max((bonuses[who] for who in free), key=lambda counts: counts.bonus)
    return best._replace(bonus=max(0, best.bonus))


def _are_the_same(state: Angst, supporter: str | None, relevant: str | None) -> bool:
    """Whether the relevant Relationship is the one with this supporter, by id or by name."""
    character = state.characters.get(supporter) if supporter is not None else None
    return character is not None and relevant in (character.character_id, character.name)


def _encouragement(state: Angst, context: CommandContext, character: Character, supporter: str) -> Counts:
    """The value of a supporter's grade toward the acting character; a GM may give that grade instead.

    Raises `supporter_not_present`, `grades_are_the_gms` and `unknown_grade`.
    """
    sheet = _present(state, context, supporter)
    if sheet is not None:
        if sheet.status != "active" or sheet is character:
            raise Rejection(
                "supporter_not_present",
                say("{name} is not there to encourage {who}.", name=sheet.name, who=character.name),
                rule="AN-10",
            )
        toward = relationship_key(state, sheet, character.character_id)
        bonus = grade_modifier(sheet.relationships[toward].grade) if toward is not None else 0
        return Counts(bonus, sheet.character_id)
    grade = _grade_by_itself(context, supporter)
    if grade is None:
        raise Rejection(
            "unknown_grade",
            say("“{supporter}” is neither a grade nor a character of this campaign.", supporter=supporter),
            rule="AN-3",
        )
    return Counts(grade_modifier(grade), None)


def _present(state: Angst, context: CommandContext, who: str) -> Character | None:
    """A character by id, or by a name that only one of them has."""
    if who in state.characters:
        return state.characters[who]
    characters = [character for character in nameable(state, context) if character.name == who]
    return characters[0] if len(characters) == 1 else None
