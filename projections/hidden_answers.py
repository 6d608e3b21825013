"""Which answers may be sent openly: an answer about something that some members do not know must be hidden."""

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from domain.campaign.dice.dice_to_decide_again import OtherDiceWanted, Twos
from domain.campaign.knowledge import decision_by_audience as secrecy
from domain.campaign.knowledge.audience_states import Knowledge
from domain.campaign.secrecy import hideable_commands
from domain.campaign.secrecy.audience import TABLE
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.ids import AccountId, ActionId
from domain.mechanics.acceptable_commands import NOBODY
from domain.rejection import Rejection
from domain.systems.system import RuleSystem
from projections.awaited_answers import MayAnswer, WaitingFor


class OpenAnswers:
    """Determines for one system which answers are accepted openly.

    `common` is the campaign as the table knows it.
    """

    def __init__(self, system: RuleSystem, whole: CampaignState, common: CampaignState) -> None:
        self._system = system
        self._whole = whole
        self._common = common
        self._knowledge = Knowledge({TABLE: common})

    def marked(self, waiting: Sequence[WaitingFor]) -> list[WaitingFor]:
        """The choices with only the answers that are accepted openly; marked hidden where there are none.

        An answer that would bring a hidden thing into play is sent hidden, too, where it may be. An answer that is
        accepted neither way, because the table's knowledge of what it depends on is wrong, is dropped, and so is a
        choice without answers.
        """
        marked = [self._marked(choice) for choice in waiting]
        return [choice for choice in marked if choice.answers or choice.gm_answers or not choice.optional]

    def _marked(self, choice: WaitingFor) -> WaitingFor:
        if choice.hidden:
            return choice
        if openly := self._with_open_answers(choice, entering=False):
            return openly
        if not self._may_be_hidden(choice) and (openly := self._with_open_answers(choice, entering=True)):
            return openly
        answers, gms = ([*filter(self._hideable, those)] for those in (choice.answers, choice.gm_answers))
        return structs.replace(choice, answers=answers, gm_answers=gms, hidden=bool(answers or gms))

    def _with_open_answers(self, choice: WaitingFor, *, entering: bool) -> WaitingFor | None:
        """The choice with its openly accepted answers, if any: all, or those that bring nothing into play."""
        answers = [
            answer for answer in choice.answers if self._accepted(answer, choice.waits_for, entering=entering)
        ]
        gms = [answer for answer in choice.gm_answers if self._accepted(answer, None, entering=entering)]
        return structs.replace(choice, answers=answers, gm_answers=gms) if answers or gms else None

    def _may_be_hidden(self, choice: WaitingFor) -> bool:
        """Whether every answer may be sent hidden."""
        return all(map(self._hideable, (*choice.answers, *choice.gm_answers)))

    def _hideable(self, answer: MayAnswer) -> bool:
        try:
            hideable_commands.require_hideable(self._command(answer), self._whole, [self._common])
        except Rejection:
            return False
        return True

    def _command(self, answer: MayAnswer) -> Any:
        return self._system.command(answer.command)

    def _accepted(self, answer: MayAnswer, player: AccountId | None, *, entering: bool) -> bool:
        context = CommandContext(
            command=self._command(answer),
            account=player or AccountId(NOBODY),
            role="gm" if player is None else "player",
            action_id=ActionId(NOBODY),
            at=0,
            game_time=self._whole.game_time,
            settings=None,
            members=self._whole.members,
        )
        try:
            decision = secrecy.decide(self._whole, self._knowledge, context, "all", Twos())
        except Rejection:
            return False
        except OtherDiceWanted:
            return entering
        return entering or not decision.entering
