"""Trying commands on a campaign as a member knows it: the rules are asked, and no die falls."""

from typing import Any

from msgspec import Struct

from domain.campaign import aggregate
from domain.campaign.commands import EnterPlay
from domain.campaign.dice.dice_to_decide_again import OtherDiceWanted, Twos
from domain.campaign.lifecycle import character_retirement
from domain.campaign.money import mistyped_names
from domain.campaign.play.free_rolls import rolls
from domain.campaign.secrecy import entrance
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext, Role
from domain.dice import Die
from domain.ids import AccountId, ActionId, part_id
from domain.mechanics.acceptable_commands import NOBODY, FirstDie, NoDice, SecretSeeds
from domain.offers.field_read_tracker import FieldRead, Reads, blank, watched
from domain.rejection import Rejection
from domain.systems import owner_of_kind
from domain.systems.system import Way


class FirstDice(Struct, frozen=True):
    """The dice that a command rolls first; empty where no die falls."""

    sides: list[int]
    """Those of each die."""
    letters: list[str] = []
    """The rulebook's signs for each, where dice differ by more than their sides."""
    odds: dict[str, float] | None = None
    """How likely each outcome is."""
    chance: float | None = None
    """How likely the dice are enough, where the outcomes do not say it."""
    ways: list[Way] = []
    """The best choices of dice, one for each price."""
    against: dict[str, float] = {}
    """How likely they are to be ahead of each pool that another side may roll later, by its notation."""


class Trial:
    """Decides commands of one member on the campaign as they know it.

    `at` is real time in microseconds UTC. `common` is the campaign as everybody knows it, where that is known.
    The commands are the `nth` of a group that begins before. `game_time` stands for the state's own.
    """

    def __init__(
        self,
        state: CampaignState,
        account: AccountId,
        role: Role,
        at: int,
        common: CampaignState | None = None,
        nth: int = 0,
        game_time: int | None = None,
    ) -> None:
        self.state = state
        self.account = account
        self.role = role
        self.at = at
        self.common = common
        self.tries = 0
        """How many commands were decided so far."""
        self._asker: dict[str, Any] = {
            "account": account,
            "role": role,
            "action_id": part_id(ActionId(NOBODY), nth),
            "at": at,
            "game_time": state.game_time if game_time is None else game_time,
            "settings": None,
            "members": state.members,
            "dice_seeds": SecretSeeds(),
        }

    def context(self, command: Any) -> CommandContext:
        """The command as this member gives it."""
        return CommandContext(command=command, filled={}, **self._asker)

    def refusal(self, command: Any) -> tuple[Rejection | None, Reads]:
        """The refusal of a command, if any, with the fields that were looked at until then, in order."""
        watched_command, reads = watched(command)
        self.tries += 1
        try:
            self.events(watched_command)
        except Rejection as refusal:
            return refusal.with_traceback(None), [*reads]  # else it keeps alive all that was looked at for it
        return None, [*reads]

    def refusal_of_all(self, kind: type[Struct]) -> Rejection | None:
        """The refusal of every command of a kind, whatever it says; None where the rules look at what it says."""
        try:
            self.events(blank(kind))
        except Rejection as refusal:
            return refusal.with_traceback(None)
        except (FieldRead, TypeError):  # a library cannot read a field of which nothing is said
            return None
        return None

    def events(self, command: Any) -> list[Any] | None:
        """The events of a command; None where they are up to dice or their seeds. Raises `Rejection`."""
        context = self.context(command)
        try:
            mistyped_names.require_no_slip(self.state, command)
            character_retirement.require_none_retired(self.state, command)
            aggregate.require_order_known(self.state, context)
            events = aggregate.decide(self.state, context, NoDice())
        except FirstDie:
            return None
        if isinstance(command, EnterPlay) and self.common is not None:
            entrance.require_hidden(events, self.common, command.subject)
        return events

    def first_dice(self, command: Any) -> FirstDice:
        """The dice that a command rolls first, as far as their purpose follows from this member's knowledge."""
        dice = _Counting()
        try:
            events = aggregate.decide(self.state, self.context(command), dice)
        except (Rejection, OtherDiceWanted, FirstDie):
            return FirstDice(dice.sides)
        system = owner_of_kind(type(command))
        tests = [test for event in events for test in rolls(event)]
        odds = tests[0].odds if len(tests) == 1 else None
        chance, ways, against = None, [], {}
        if system is not None:
            own = self.state.systems[system.id]
            odds = odds or system.odds(own, events)
            chance, ways = system.chance(own, events), system.ways(own, events)
            against = system.against(own, events)
        letters = [die.letters or "" for die in tests[0].dice] if len(tests) == 1 else []
        has_letters = len(letters) == len(dice.sides) and any(letters)
        return FirstDice(dice.sides, letters if has_letters else [], odds, chance, ways, against)


class _Counting(Twos):
    """Dice that note which are rolled."""

    def __init__(self) -> None:
        super().__init__()
        self.sides: list[int] = []

    def roll(self, sides: int) -> Die:
        self.sides.append(sides)
        return super().roll(sides)
