"""Which answers may be asked openly: what is about something that not everybody knows has to be asked hidden."""

from collections.abc import Sequence

import msgspec
from msgspec import structs

from domain.campaign.secrecy import decision
from domain.campaign.secrecy.audience import TABLE
from domain.campaign.secrecy.audience_states import Knowledge
from domain.campaign.state import CampaignState
from domain.command_context import Asked
from domain.ids import AccountId, ActionId
from domain.mechanics.trial import NOBODY, FirstDie, NoDice
from domain.rejection import Rejection
from domain.systems.system import RuleSystem
from projections.awaited import MayAnswer, WaitingFor


class Openness:
    """Asks for one system whether answers are accepted openly. `common` is the campaign as everybody knows it."""

    def __init__(self, system: RuleSystem, whole: CampaignState, common: CampaignState) -> None:
        self._system = system
        self._whole = whole
        self._knowledge = Knowledge({TABLE: common})

    def marked(self, waiting: Sequence[WaitingFor]) -> list[WaitingFor]:
        """What is waited for: of the answers those that are accepted openly; where there are none, hidden."""
        return [self._marked(each) for each in waiting]

    def _marked(self, each: WaitingFor) -> WaitingFor:
        if each.hidden:
            return each
        answers = [answer for answer in each.answers if self._accepted(answer, each.waits_for)]
        gms = [answer for answer in each.gm_answers if self._accepted(answer, None)]
        if not answers and not gms:
            return structs.replace(each, hidden=True)
        return structs.replace(each, answers=answers, gm_answers=gms)

    def _accepted(self, answer: MayAnswer, player: AccountId | None) -> bool:
        asked = Asked(
            command=msgspec.convert(answer.command, self._system.commands),
            account=player or AccountId(NOBODY),
            role="gm" if player is None else "player",
            action_id=ActionId(NOBODY),
            at=0,
            game_time=self._whole.game_time,
            settings=None,
            members=self._whole.members,
        )
        try:
            decision.decide(self._whole, self._knowledge, asked, "all", NoDice())
        except FirstDie:
            return True
        except Rejection:
            return False
        return True
