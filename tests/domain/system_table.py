"""A table at which one rule system is played: what the tables of all systems have in common."""

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cache, partial
from typing import Any, ClassVar, Self
from uuid import NAMESPACE_URL, uuid5

import msgspec
import pytest

from domain import lifecycle_events
from domain.command_context import CommandContext, Role
from domain.ids import AccountId, ActionId, CharacterId
from domain.rejection import Rejection
from domain.sentences import Sentence
from domain.systems.system import RuleSystem
from tests.domain.due import first_due
from tests.languages.messages import CAMPAIGN, Message, translations, unheard
from tests.refusals import for_people
from tests.scripted_dice import ScriptedDice


class SystemTable:
    """One state, its facts, and people who ask: the `GM`, a `worker`, an `observer`; all others play.

    Every rule's id begins with `RULES`, and `FACES` fall where a test names none. `OWN_TERMS` says that terms in
    sentences may be the table's own words, which no catalogue has. `at` is the real time in microseconds,
    `game_time` the campaign's in seconds. `actions` are the facts of each action, `asks` what was asked for then.
    """

    SYSTEM: ClassVar[RuleSystem]
    RULES: ClassVar[str]
    GM: ClassVar[str] = "gm"
    PEOPLE: ClassVar[tuple[str, ...]]
    FACES: ClassVar[Sequence[int]] = (1,)
    OWN_TERMS: ClassVar[bool] = False

    state: Any
    settings: Any

    def __init__(self, settings: Any = None) -> None:
        self.state = self.SYSTEM.state()
        self.settings = settings or self.SYSTEM.settings()
        self.members: Mapping[AccountId, Role] | None = None
        self.at = 0
        self.game_time = 0
        self.events: list[Any] = []
        self.actions: list[list[Any]] = []
        self.asks: dict[int, CommandContext] = {}

    def twin(self) -> Self:
        """The same table, at which something else may happen from now on."""
        twin = copy(self)
        twin.state = msgspec.json.decode(msgspec.json.encode(self.state), type=self.SYSTEM.state)
        twin.events, twin.actions, twin.asks = [*self.events], [*self.actions], {**self.asks}
        return twin

    def context(self, who: str, command: Any) -> CommandContext:
        roles: dict[str, Any] = {self.GM: "gm", "worker": "worker", "observer": "observer"}
        self.asks[len(self.actions)] = context = CommandContext(
            command=command,
            account=None if who == "worker" else person(who),
            role=roles.get(who, "player"),
            action_id=ActionId(uuid5(NAMESPACE_URL, f"action-{len(self.actions)}")),
            at=self.at,
            game_time=self.game_time,
            settings=self.settings,
            members=self.members,
        )
        return context

    def do(self, who: str, command: Any, faces: Sequence[int] | None = None) -> list[Any]:
        """Fold what a command brings about; deciding it never changes the state, and is the same each time."""
        before = msgspec.json.encode(self.state)
        try:
            with for_people(partial(self.SYSTEM.name, self.state)):
                events = self._decided(who, command, faces)
            again = self._decided(who, command, faces)
            assert events == again, "the same action makes the same facts, ids included"
        finally:
            assert msgspec.json.encode(self.state) == before, "deciding changed the state"
        return self.happened(events)

    def _decided(self, who: str, command: Any, faces: Sequence[int] | None) -> list[Any]:
        dice = ScriptedDice(self.FACES if faces is None else faces)
        return self.SYSTEM.decide(self.state, self.context(who, command), dice)

    def follow(self, moment: lifecycle_events.LifecycleEvent) -> list[Any]:
        """Fold what the system does beside an event of the campaign."""
        return self.happened(self.SYSTEM.on_lifecycle_event(self.state, moment, self.context(self.GM, None)))

    def happened(self, events: list[Any]) -> list[Any]:
        """Fold events as one action."""
        for event in events:
            self.state = self.SYSTEM.evolve(self.state, event)
        self.events.extend(events)
        self.actions.append(events)
        return events

    def pass_time(self, seconds: int) -> list[Any]:
        """Move the calendar; what that makes due happens as the campaign commands it: each at its moment."""
        self.game_time += seconds
        moved = lifecycle_events.CalendarAdvanced(seconds=seconds, game_time_after=self.game_time)
        return self.follow(moved) + self.settle(None)

    def pass_real_time(self, microseconds: int) -> list[Any]:
        """Let a worker come by so much later, and do what is due."""
        self.at += microseconds
        return self.settle(self.at)

    def settle(self, real_time: int | None) -> list[Any]:
        """Do what is due by the calendar, and by real time where that is given."""
        happened: list[Any] = []
        while (due := first_due(self.SYSTEM.due_commands(self.state), self.game_time, real_time)) is not None:
            happened += self.do("worker", due.command)
        return happened

    def refusal(self, who: str, command: Any) -> str:
        """The code under which a command is refused; every refusal names its rule and says a sentence."""
        with pytest.raises(Rejection) as refused:
            self.do(who, command)
        assert refused.value.rule.startswith(self.RULES)
        assert len(str(refused.value)) > 10
        assert "None" not in str(refused.value).replace("None of", "")
        assert self.unknown_in_french(refused.value.message) == set()
        return refused.value.code

    def unknown_in_french(self, said: str | Sentence) -> set[Message]:
        """What a sentence says that neither the system's French catalogue has nor what all systems share."""
        unknown = unheard(said, {**translations("fr", CAMPAIGN), **translations("fr", self.SYSTEM.id)})
        return {each for each in unknown if not (self.OWN_TERMS and each.context)}

    def sheets(self, state: Any) -> list[CharacterId]:
        """Whose sheets there are in a state of the system."""
        return [*state.characters]

    def called(self, thing: Any) -> str:
        """What people call a person or a thing; its id where it has no name."""
        people = {person(who): who.title() for who in (*self.PEOPLE, self.GM)}
        return people.get(thing) or self.SYSTEM.name(self.state, str(thing)) or str(thing)


@cache
def person(name: str) -> AccountId:
    """The account of somebody at a table."""
    return AccountId(uuid5(NAMESPACE_URL, name))


def kinds(events: Sequence[Any]) -> list[str]:
    """The names of the types of events."""
    return [type(event).__name__ for event in events]
