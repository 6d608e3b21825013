"""A campaign with secrets, decided and folded as the service does it, with every decision looked after.

What is promised of each: what is appended folds to the campaign as decided in truth, and everybody's own fold of
what they were told is the campaign as it is kept for them.
"""

from collections.abc import Callable
from typing import Any

from msgspec import structs

from domain.campaign import aggregate
from domain.campaign.dice.dice_to_decide_again import SameDice
from domain.campaign.events import Hidden
from domain.campaign.evolve import evolve
from domain.campaign.knowledge import decision_by_audience as secrecy
from domain.campaign.knowledge.audience_states import Knowledge, decides
from domain.campaign.knowledge.decision_by_audience import DecidedAction, Decision
from domain.campaign.secrecy.audience import TABLE, Audience, may_see
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.command_context import CommandContext
from domain.dice import Dice
from domain.ids import AccountId
from domain.mechanics.acceptable_commands import FirstDie, NoDice
from domain.rejection import Rejection

Decide = Callable[[CampaignState, Knowledge, CommandContext, str, Dice], Decision]


class SecretPlay:
    """`whole` is the campaign as it is, `knowledge` what others know of it, `hidden` counts what is kept back.

    `parted` counts the decisions that were made where somebody did not know all, `entered` what entered play.
    """

    def __init__(self, start: CampaignState, players: list[AccountId]) -> None:
        self.whole = decode_state(encode_state(start))
        self.knowledge = Knowledge()
        self.told = {
            audience: decode_state(encode_state(start))
            for audience in (TABLE, *(Audience(gm=False, account=each) for each in players))
        }
        self.hidden = self.parted = self.entered = self.followed = 0

    def act(
        self, context: CommandContext, visibility: str, dice: Dice, decide: Decide = secrecy.decide
    ) -> Decision:
        """Somebody acts, and that keeps its promises. Raises `Rejection`."""
        fallen = SameDice(dice)
        decision = decide(self.whole, self.knowledge, context, visibility, fallen)
        in_truth = self._in_truth(decision, context, fallen)
        self.parted += bool(self.knowledge)
        self.entered += len(decision.entering)
        self.followed += decision.follows is not None
        for each in (*decision.entering, decision.main, decision.follows):
            if each is not None:
                self.happen(each)
        as_decided = encode_state(self.whole) == encode_state(in_truth)
        as_decided |= is_so(in_truth, context) and is_so(self.whole, context)
        assert as_decided, f"what is appended is what was decided in truth: {context.command}"
        for audience, known in self.told.items():
            kept = self.knowledge.of(audience, self.whole)
            as_told = decides(kept) == decides(known)
            assert as_told, f"everybody knows what they were told: {context.command}"
        return decision

    def _in_truth(self, decision: Decision, context: CommandContext, fallen: SameDice) -> CampaignState:
        """The campaign as it would be if nothing had to be kept from anybody."""
        state = decode_state(encode_state(self.whole))
        for each in decision.entering:
            state = folded(state, each.events)
        meant = structs.replace(context, command=decision.main.command, filled={})
        return folded(state, aggregate.decide(state, meant, fallen.again()))

    def happen(self, action: DecidedAction) -> None:
        """Everybody is told of it who may read it."""
        for event, visibility in zip(action.events, action.visibilities, strict=True):
            self.hidden += visibility != "all"
            self.whole = self.knowledge.advance(self.whole, visibility, event)
            for audience, known in self.told.items():
                read = event if may_see(visibility, audience) else Hidden()
                self.told[audience] = evolve(known, read)


def is_so(state: CampaignState, context: CommandContext) -> bool:
    """Whether everything is as a command says that it shall be, so that it brings nothing more."""
    try:
        return (
            aggregate.decide(decode_state(encode_state(state)), structs.replace(context, filled={}), NoDice())
            == []
        )
    except (Rejection, FirstDie):
        return False


def folded(state: CampaignState, events: list[Any]) -> CampaignState:
    """The state after these; the one that is given may be changed."""
    for event in events:
        state = evolve(state, event)
    return state
