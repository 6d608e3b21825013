"""Story Points: earned, given, spent; Life Experience: refreshed and spent (AN-15, AN-C14, AN-W3).

Story Points move by double entry. Life Experience is no currency but an allowance for a session: it cannot be
given away, and a reset to the maximum is no move between two accounts. It is on the sheet alone.

Codes: insufficient_story_points, insufficient_life_experience, gmc_has_no_spendables.
"""

from domain.command_context import CommandContext
from domain.rejection import Rejection
from domain.sentences import say, say_many
from domain.systems.angst.access import find_character, has_spendables, require_alive, require_gm
from domain.systems.angst.commands import AwardStoryPoints
from domain.systems.angst.events import (
    CharacterAdopted,
    CharacterCreated,
    LifeExperienceRefreshed,
    LifeExperienceSpent,
    Purpose,
    StoryPointEarned,
    StoryPointsSpent,
)
from domain.systems.angst.state import Angst, Character
from domain.systems.system import Posting, Postings, SheetBalance, transfer

STORY_POINTS = "story_points"


def award_story_points(state: Angst, context: CommandContext, command: AwardStoryPoints) -> list[StoryPointEarned]:
    """AN-C14: the GM awards Story Points."""
    require_gm(context, "AN-C14")
    character = find_character(state, context, command.character, "AN-C14")
    if not context.decided_before:
        require_alive(character, "AN-C14")
    if not has_spendables(character, context):
        raise Rejection(
            "gmc_has_no_spendables",
            say(
                "{name} is a GMC, and GMCs have no Story Points here; "
                "the setting “GMCs spend points” changes that.",
                name=character.name,
            ),
            rule="AN-A21",
        )
    return [
        StoryPointEarned(
            character=character.character_id,
            amount=command.amount,
            source="award",
            left=character.story_points + command.amount,
            why=command.why,
            gmc_spendables=character.kind == "gmc",
        )
    ]


def spend_story_points(
    character: Character,
    context: CommandContext,
    amount: int,
    purpose: Purpose,
    rule: str,
    test_id: str | None = None,
) -> StoryPointsSpent:
    """The event that pays a price. Raises `insufficient_story_points`."""
    purse = character.story_points if has_spendables(character, context) else 0
    if amount > max(0, purse):
        raise Rejection(
            "insufficient_story_points",
            say_many(
                "That costs {n} Story Point, and {name} has {balance}.",
                "That costs {n} Story Points, and {name} has {balance}.",
                amount,
                name=character.name,
                balance=max(0, purse),
            ),
            rule=rule,
            price=amount,
            balance=purse,
        )
    return StoryPointsSpent(
        character=character.character_id,
        amount=amount,
        purpose=purpose,
        left=purse - amount,
        test_id=test_id,
        gmc_spendables=character.kind == "gmc",
    )


def life_experience_left(character: Character, context: CommandContext, amount: int) -> int:
    """The rest after a spend. Raises `insufficient_life_experience`."""
    balance = character.life_experience.current if has_spendables(character, context) else 0
    if amount > max(0, balance):
        raise Rejection(
            "insufficient_life_experience",
            say(
                "{name} has only {left} Life Experience left, not {amount}.",
                name=character.name,
                left=max(0, balance),
                amount=amount,
            ),
            rule="AN-15",
            balance=balance,
        )
    return balance - amount


def earned(state: Angst, event: StoryPointEarned) -> None:
    """Add the points. Balances have no floor: an undone award may leave a character in debt."""
    character = state.characters.get(event.character)
    if character is not None:
        character.story_points += event.amount


def spent(state: Angst, event: StoryPointsSpent) -> None:
    """Subtract the points; a bought purge is used up for this session (AN-19)."""
    character = state.characters.get(event.character)
    if character is None:
        return
    character.story_points -= event.amount
    if event.purpose == "purge":
        character.bought_purge_this_session = True


def refreshed(state: Angst, event: LifeExperienceRefreshed) -> None:
    """Refill to the present maximum."""
    character = state.characters.get(event.character)
    if character is not None:
        character.life_experience.current = character.life_experience.max


def life_experience_spent(state: Angst, event: LifeExperienceSpent) -> None:
    """Take the amount from the sheet and add it to the test."""
    character = state.characters.get(event.character)
    if character is not None:
        character.life_experience.current -= event.amount
    test = state.test(event.test_id)
    if test is not None:
        test.life_experience = (test.life_experience or 0) + event.amount


def sheet_balances(state: Angst) -> list[SheetBalance]:
    """The Story Points on sheets."""
    everyone = sorted(state.characters.items())
    return [SheetBalance(f"character:{who}", STORY_POINTS, character.story_points) for who, character in everyone]


def _move(reason: str, character: str, change: int) -> list[Posting]:
    """A move of Story Points from the world to a character, or back if `change` is negative."""
    return transfer(STORY_POINTS, f"world:{reason}", f"character:{character}", change, reason)


def _created(event: CharacterCreated) -> list[Posting]:
    return _move("creation", event.character, event.story_points)


def _adopted(event: CharacterAdopted) -> list[Posting]:
    return _move("adoption", event.character, event.story_points)


def _earned(event: StoryPointEarned) -> list[Posting]:
    return _move(event.source, event.character, event.amount)


def _spent(event: StoryPointsSpent) -> list[Posting]:
    return _move(event.purpose, event.character, -event.amount)


POSTINGS: Postings = {
    CharacterCreated: _created,
    CharacterAdopted: _adopted,
    StoryPointEarned: _earned,
    StoryPointsSpent: _spent,
}
"""The moves of Story Points by type of event."""
