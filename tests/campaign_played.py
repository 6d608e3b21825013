"""A whole campaign played in memory: what people ask is decided, recorded and folded, without a service."""

from collections.abc import Sequence
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import msgspec
import pytest

from domain.campaign import aggregate
from domain.campaign.commands import CreateCampaign, JoinCampaign
from domain.campaign.dice.policy import chosen_dice
from domain.campaign.evolve import evolve
from domain.campaign.money.mistyped_names import require_no_slip
from domain.campaign.play.characters import titles
from domain.campaign.secrecy.audience import Audience, redacted_for
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import EVENT_TYPES
from domain.command_context import CommandContext
from domain.ids import AccountId, ActionId, SystemId
from domain.recorded_event import RecordedEvent
from domain.rejection import Rejection
from domain.systems import SYSTEMS
from tests.refusals import for_people
from tests.scripted_dice import ScriptedDice

DAY_MICROS = 24 * 3600 * 1_000_000
GM = Audience(gm=True)
TABLE = Audience(gm=False)


def person(name: str) -> AccountId:
    return AccountId(uuid5(NAMESPACE_URL, name))


class CampaignPlayed:
    """`ana` is the GM; `ben` and `cleo` are players, `olaf` observes. Every action takes a day."""

    def __init__(self, system: str = "frame_state", **settings: Any) -> None:
        self.state = CampaignState()
        self.records: list[RecordedEvent] = []
        self.actions = 0
        self.do("ana", CreateCampaign("Night shift", [SystemId(system)], settings))
        for name in ("ben", "cleo", "olaf"):
            self.do(name, JoinCampaign("observer" if name == "olaf" else "player", "invite-1"))

    def do(
        self,
        who: str,
        command: Any,
        faces: Sequence[int] = (1,),
        *,
        typed: list[tuple[int, int]] | None = None,
        visibility: str = "all",
    ) -> list[Any]:
        """Somebody asks; what happens is recorded and folded. Deciding never changes the state."""
        before = msgspec.json.encode(self.state)
        try:
            with for_people(self._called):
                require_no_slip(self.state, command)
                events = aggregate.decide(
                    self.state,
                    self._asked(who, command),
                    chosen_dice(self.state, typed, ScriptedDice(faces)),
                )
        finally:
            assert msgspec.json.encode(self.state) == before, "deciding changed the state"
        for event in events:
            self._record(who, event, visibility)
        self.actions += 1
        return events

    def _called(self, thing: str) -> str | None:
        names = (SYSTEMS[system].name(inner, thing) for system, inner in self.state.systems.items())
        return next(filter(None, names), None)

    def refusal(self, who: str, command: Any, **how: Any) -> str:
        """The code under which a command is refused."""
        with pytest.raises(Rejection) as refused:
            self.do(who, command, **how)
        assert len(str(refused.value)) > 10
        return refused.value.code

    def settle(self) -> None:
        """A worker posts what is owed."""
        for system, inner in list(self.state.systems.items()):
            for owed in SYSTEMS[system].due_commands(inner):
                self.do("worker", owed.command)

    def seen(self, audience: Audience = GM) -> list[RecordedEvent]:
        """The log as somebody may read it."""
        return [redacted_for(audience, record) for record in self.records]

    def name(self, thing: Any) -> str:
        """What people call an id."""
        known = {person(who): who.title() for who in ("ana", "ben", "cleo", "olaf")}
        if thing is None:
            return "the campaign"
        inner = self.state.systems.items()
        called = (
            *(SYSTEMS[system].name(state, str(thing)) for system, state in inner),
            titles(self.state).get(thing),
        )
        return known.get(thing) or next(filter(None, called), str(thing))

    def _asked(self, who: str, command: Any) -> CommandContext:
        known: Any = self.state.members.get(person(who), "gm")
        return CommandContext(
            command=command,
            account=None if who == "worker" else person(who),
            role="worker" if who == "worker" else known,
            action_id=ActionId(uuid5(NAMESPACE_URL, f"action-{self.actions}")),
            at=self.actions * DAY_MICROS,
            game_time=self.state.game_time,
            settings=None,
        )

    def _record(self, who: str, event: Any, visibility: str) -> None:
        tag = event.__struct_config__.tag
        assert msgspec.json.decode(msgspec.json.encode(event), type=EVENT_TYPES[tag]) == event
        self.records.append(
            RecordedEvent(
                seq=len(self.records) + 1,
                action_id=ActionId(uuid5(NAMESPACE_URL, f"action-{self.actions}")),
                kind=tag,
                kind_version=event.kind_version,
                recorded_at=self.actions * DAY_MICROS,
                game_time=self.state.game_time,
                actor=None if who == "worker" else person(who),
                cause="request",
                visibility=visibility,
                command=b"{}",
                event=event,
            )
        )
        self.state = evolve(self.state, event)
