"""Recorded stories, action by action, each with the campaign as its members knew it before."""

from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import UUID

from msgspec import Struct

from domain.campaign.command_request import ActRequest
from domain.campaign.dice.policy import ORIGINS
from domain.campaign.evolve import evolve
from domain.campaign.knowledge.audience_states import Knowledge
from domain.campaign.recorded_action import PastAction
from domain.campaign.secrecy.audience import GM, TABLE, Audience, private_audiences, private_keys
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import past_action, record_of
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.command_context import Role
from domain.dice.seeded_dice import EpochSeeds
from domain.event_store_types import REWRITE_KINDS, StoredEvent
from domain.ids import AccountId, ActionId, CampaignId
from domain.offers.command_trials import Trial
from domain.offers.possible_commands import Offers, commands_of
from domain.rejection import Rejection
from services.campaign.audience_fold import fold_event
from services.campaign.history_changes import history_changes_in, revealed_by, undone_by
from services.campaign.loaded_campaign import GENESIS_HEAD, LoadedCampaign
from services.cli.demo.recording import recorded_names, short_names
from services.commands.decide_command import decide_command
from services.commands.pending_command import PendingCommand
from services.reading.event_scan import by_action
from tests.domain.plays import PLAYS, told
from tests.scripted_dice import ScriptedDice
from tests.stories.memory_service import SeededEntropy
from tests.stories.played_story import SEED, played

STORIES = (*recorded_names(), *short_names())
NOT_KNOWN = frozenset({"not_possible_now", "rests_on_hidden"})
"""What refuses in truth what the campaign, as its asker knows it, allows."""


class Moment(Struct, frozen=True):
    """The campaign before an action, as everybody knows it; only until the next one is asked for."""

    nth: int
    action: PastAction
    states: dict[Audience, CampaignState]
    visibilities: frozenset[str]
    campaign_id: CampaignId

    @property
    def whole(self) -> CampaignState:
        """What GMs know."""
        return self.states[GM]

    def known(self, account: AccountId) -> CampaignState:
        """What a member knows, as the service shows it."""
        if self.whole.members[account] == "gm":
            return self.whole
        private = f"account:{account}" in private_keys(self.visibilities)
        return self.states[Audience(gm=False, account=account) if private else TABLE]

    def role(self, account: AccountId) -> Role:
        """The role of a member."""
        return self.whole.members[account]

    def trial(self, account: AccountId) -> Trial:
        """Tries commands of a member on what they know."""
        known = decode_state(encode_state(self.known(account)))
        common = decode_state(encode_state(self.states[TABLE]))
        return Trial(known, account, self.role(account), self.action.recorded_at, common=common)

    def offers(self, account: AccountId) -> Offers:
        """Asks what a member may do."""
        return Offers(self.trial(account))

    @property
    def asked(self) -> Any:
        """The command, where a member asked for it that the list may have; None for all others."""
        request, actor = self.action.request, self.action.actor
        if request is None or actor is None or actor not in self.whole.members or self.action.brings_in:
            return None
        return request.command if type(request.command) in {*commands_of(self.whole)} else None

    def seeds(self, epoch: int) -> EpochSeeds:
        """Seeds of an epoch, as a service with its key has them."""
        return EpochSeeds(self.campaign_id, epoch, bytes(32), bytes(32))

    def truth(self) -> "Truth":
        """The campaign as it is, to give commands in."""
        loaded = LoadedCampaign(GENESIS_HEAD, _with_any_dice(self.whole))
        if any(row != "all" for row in self.visibilities):
            deciding = {
                Audience(gm=False, account=who.account, with_account=who.with_account): _with_any_dice(state)
                for who, state in self.states.items()
                if who.whole
            }
            knowledge = Knowledge(deciding)
            loaded.knowledge = Knowledge() if knowledge.is_common(loaded.state) else knowledge
        loaded.seeds = self.seeds(loaded.state.dice.epoch)
        return Truth(self, loaded)


def unproven() -> ScriptedDice:
    """Dice before a campaign's first epoch: of every face, or those that explode would never stop."""
    return ScriptedDice((3, 1, 4, 2, 6, 5))


class Truth:
    """The campaign as it is at a moment: whether a command is accepted there."""

    def __init__(self, moment: Moment, loaded: LoadedCampaign) -> None:
        self._moment = moment
        self._loaded = loaded
        self._entropy = SeededEntropy(1, lambda: moment.action.recorded_at)

    def refusal(self, account: AccountId, command: Any) -> Rejection | None:
        """What refuses a command of a member; hidden ways of giving it are tried where the open one is refused."""
        found: Rejection | None = None
        for visibility in ("all", f"account:{account}", "gm"):
            refusal = self._decided(account, ActRequest(command=command, visibility=visibility))
            if refusal is None:
                return None
            found = found or refusal
            if refusal.code not in ("rests_on_hidden", "names_hidden", "must_be_hidden"):
                break
        return found

    def _decided(self, account: AccountId, request: ActRequest) -> Rejection | None:
        command = PendingCommand(
            campaign_id=self._moment.campaign_id,
            account=account,
            request=request,
            action_id=ActionId(self._entropy.new_id()),
            answered=None,  # type: ignore[arg-type]  # nobody waits for an answer here
            dice_seeds=self._moment.seeds(getattr(request.command, "epoch", self._loaded.state.dice.epoch)),
        )
        try:
            decide_command(command, self._loaded, self._moment.action.recorded_at, unproven, self._entropy)
        except Rejection as refusal:
            return refusal
        return None


def moments(story: str) -> Iterator[Moment]:
    """Every action of a story, each with the campaign before it."""
    campaign_id, rows = played(story, SEED)
    open_to = [TABLE, *private_audiences(*(row.visibility for row in rows), stands_for={})]
    audiences = [GM, *open_to, *(_deciding(each) for each in open_to)]
    states = {each: CampaignState() for each in audiences}
    before: list[StoredEvent] = []
    for nth, group in enumerate(by_action(rows)):
        visibilities = frozenset(row.visibility for row in before)
        yield Moment(nth, past_action(group), states, visibilities, campaign_id)
        before += group
        rewrites = any(row.kind in REWRITE_KINDS for row in group)
        if rewrites:
            states = {each: CampaignState() for each in audiences}
        changes = history_changes_in(before)
        undone, revealed = undone_by(changes), revealed_by(changes)
        for row in before if rewrites else group:
            event = record_of(row)
            for each in audiences:
                states[each] = fold_event(states[each], each, event, undone, revealed)


def moments_at_random(system: str, nth: int) -> Iterator[Moment]:
    """Every action of a system's own random play, each with the campaign before it; nothing in it is hidden."""
    start, actions = told(system, PLAYS[system](Random(f"{system} {nth}")))  # noqa: S311 — the same every time
    whole = decode_state(encode_state(start))
    for place, action in enumerate(actions):
        yield Moment(place, action, {GM: whole, TABLE: whole}, frozenset(), CampaignId(UUID(int=1)))
        for event in action.events:
            whole = evolve(whole, event)


def _with_any_dice(state: CampaignState) -> CampaignState:
    """A copy of a campaign where the service may roll: whose dice count does not decide what is possible."""
    copied = decode_state(encode_state(state))
    copied.changed_settings.pop(ORIGINS, None)
    return copied


def _deciding(audience: Audience) -> Audience:
    return Audience(gm=False, account=audience.account, whole=True, with_account=audience.with_account)
