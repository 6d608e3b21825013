"""Trying commands on a campaign as a member knows it: the rules are asked, and no die falls."""

from typing import Any

from domain.campaign import aggregate
from domain.campaign.commands import EnterPlay
from domain.campaign.dice.trial_dice import OtherDiceWanted, Twos
from domain.campaign.money import chart
from domain.campaign.play.free_rolls import rolls
from domain.campaign.secrecy import entrance
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext, Role
from domain.dice import Die
from domain.ids import AccountId, ActionId
from domain.mechanics.trial import NOBODY, FirstDie, NoDice, SecretSeeds
from domain.offers.field_reads import Reads, watched
from domain.rejection import Rejection
from domain.systems.system import RolledTest


class Trial:
    """Decides commands of one member on the campaign as they know it.

    `at` is real time in microseconds UTC. `common` is the campaign as everybody knows it, where that is known.
    `tries` counts what was decided so far.
    """

    def __init__(
        self,
        known: CampaignState,
        account: AccountId,
        role: Role,
        at: int,
        common: CampaignState | None = None,
    ) -> None:
        self.known = known
        self._common = common
        self.tries = 0
        self._asker: dict[str, Any] = {
            "account": account,
            "role": role,
            "action_id": ActionId(NOBODY),
            "at": at,
            "game_time": known.game_time,
            "settings": None,
            "members": known.members,
            "dice_seeds": SecretSeeds(),
        }

    def context(self, command: Any) -> CommandContext:
        """The command as this member gives it."""
        return CommandContext(command=command, filled={}, **self._asker)

    def refusal(self, command: Any) -> tuple[Rejection | None, Reads]:
        """What refuses a command, if anything does; with the fields that were looked at until then, in order."""
        made, reads = watched(command)
        self.tries += 1
        try:
            self.events(made)
        except Rejection as refusal:
            return refusal.with_traceback(None), [*reads]  # else it keeps alive all that was looked at for it
        return None, [*reads]

    def events(self, command: Any) -> list[Any] | None:
        """What a command would make happen; None where that is up to dice or their seeds. Raises `Rejection`."""
        context = self.context(command)
        try:
            chart.require_no_slip(self.known, command)
            aggregate.require_order_known(self.known, context)
            events = aggregate.decide(self.known, context, NoDice())
        except FirstDie:
            return None
        if isinstance(command, EnterPlay) and self._common is not None:
            entrance.require_hidden(events, self._common, command.subject)
        return events

    def rolled(self, command: Any) -> tuple[tuple[int, ...], dict[str, float] | None]:
        """The sides of the dice that a command rolls first, and its exact odds; nothing where no die falls.

        Odds are only given where what this member knows decides them.
        """
        sides, test = self._rolled(command)
        return sides, None if test is None else test.odds

    def letters(self, command: Any) -> list[str]:
        """What the rulebook writes for each die that a command rolls first; empty where they differ in nothing."""
        sides, test = self._rolled(command)
        found = [] if test is None else [each.letters or "" for each in test.dice]
        return found if len(found) == len(sides) and any(found) else []

    def _rolled(self, command: Any) -> tuple[tuple[int, ...], RolledTest | None]:
        dice = _Counting()
        try:
            events = aggregate.decide(self.known, self.context(command), dice)
        except (Rejection, OtherDiceWanted, FirstDie):
            return tuple(dice.sides), None
        tests = [rolled for event in events for rolled in rolls(event)]
        return tuple(dice.sides), tests[0] if len(tests) == 1 else None


class _Counting(Twos):
    """Dice that note which are rolled."""

    def __init__(self) -> None:
        super().__init__()
        self.sides: list[int] = []

    def roll(self, sides: int) -> Die:
        self.sides.append(sides)
        return super().roll(sides)
