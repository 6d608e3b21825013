"""A table at which FREE/FALL is played: one state, its facts, and people who ask."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import partial
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest

from domain import lifecycle_events
from domain.campaign.scheduling.schedule import first_due
from domain.command_context import Asked, Role
from domain.ids import AccountId, ActionId
from domain.rejection import Rejection
from domain.systems.freefall import FREEFALL
from domain.systems.freefall import commands as c
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Binding, FreefallState, ItemDraft, Weapon
from tests.languages.messages import translations, unheard
from tests.refusals import for_people
from tests.scripted_dice import ScriptedDice

ARMOUR = ItemDraft(name="Armour", binding=Binding(body=3), av={"physical": 2})
DECK = ItemDraft(name="Deck", binding=Binding(mind=2), enables=["hack"], bonus={"hack": 2})
GUN = ItemDraft(name="Gun", binding=Binding(body=1), weapon=Weapon(dv=2))
LIMB = ItemDraft(name="Limb", kind="augmentation", binding=Binding(body=1, ghost=1), hardened=True, invasive=True)


class Table:
    """`gm` is the GM, `kai` and `noor` are players; their characters are created when asked for."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.state = FreefallState()
        self.settings = settings or Settings()
        self.events: list[Any] = []
        self.actions: list[list[Any]] = []
        self.asks: dict[int, Asked] = {}
        self.now = 0
        self.members: Mapping[AccountId, Role] | None = None

    def asked(self, who: str, command: Any) -> Asked:
        role: Any = {"gm": "gm", "worker": "worker", "observer": "observer"}.get(who, "player")
        self.asks[len(self.actions)] = asked = Asked(
            command=command,
            account=None if who == "worker" else person(who),
            role=role,
            action_id=ActionId(uuid5(NAMESPACE_URL, f"action-{len(self.actions)}")),
            at=0,
            game_time=self.now,
            settings=self.settings,
            members=self.members,
        )
        return asked

    def do(self, who: str, command: Any, faces: Sequence[int] = (10,)) -> list[Any]:
        """Somebody asks; what happens is folded. Deciding never changes the state."""
        before = deepcopy(self.state)
        try:
            with for_people(partial(FREEFALL.name, self.state)):
                events = FREEFALL.decide(self.state, self.asked(who, command), ScriptedDice(faces))
            again = FREEFALL.decide(self.state, self.asked(who, command), ScriptedDice(faces))
            assert events == again, "the same action makes the same facts, ids included"
        finally:
            assert self.state == before, "deciding changed the state"
        return self._happened(events)

    def follow(self, moment: lifecycle_events.Moment) -> list[Any]:
        return self._happened(FREEFALL.follow(self.state, moment, self.asked("gm", None)))

    def pass_time(self, seconds: int) -> list[Any]:
        """The calendar moves, and what it makes due happens as the campaign commands it: each at its moment."""
        self.now += seconds
        happened = self.follow(lifecycle_events.CalendarAdvanced(seconds=seconds, game_time_after=self.now))
        while (due := first_due(FREEFALL.owed(self.state), self.now, None)) is not None:
            happened += self.do("worker", due.command)
        return happened

    def _happened(self, events: list[Any]) -> list[Any]:
        for event in events:
            self.state = FREEFALL.evolve(self.state, event)
        self.events.extend(events)
        self.actions.append(events)
        return events

    def refusal(self, who: str, command: Any) -> str:
        """The code under which a command is refused; every refusal names its rule and says a sentence."""
        with pytest.raises(Rejection) as refused:
            self.do(who, command)
        assert refused.value.rule.startswith("FF-")
        assert len(str(refused.value)) > 10
        assert "None" not in str(refused.value)
        assert unheard(refused.value.message, translations("fr", "freefall")) == set()
        return refused.value.code

    def runner(self, who: str = "kai", *, gear: Sequence[ItemDraft] = (ARMOUR, DECK)) -> str:
        """A character of Body 12, Mind 8 and Ghost 6 who wears what is listed."""
        [created] = self.do(
            who,
            c.CreateCharacter(
                name=who.title(),
                permanents={"body": 12, "mind": 8, "ghost": 6},
                class_="Runner",
                specialties=["infiltration"],
            ),
        )
        for item in gear:
            [added] = self.do("gm", c.AddGear(item=item, character=created.character))
            self.do("gm", c.Equip(item=added.item, character=created.character, downtime=True))
        return str(created.character)

    def item(self, character: str, name: str) -> str:
        """The id of an item by its name."""
        items = self.state.characters[character].items
        return next(id_ for id_, item in items.items() if item.what.name == name)

    def hurt(self, who: str, character: str, *, permanent: int = 0, temporary: int = 0) -> None:
        """Fill slots through the rules."""
        for nth in range(permanent):
            self.harm(who, character, c.Choice(option="A"))
            self.harm(who, character, c.Choice(option="B", slot=nth + 1))
        for _ in range(temporary):
            self.harm(who, character, c.Choice(option="A"))

    def harm(self, who: str, character: str, *choices: c.Choice, harm_type: Any = "psychic") -> list[Any]:
        self.do("gm", c.ReceiveHarm(harm_type=harm_type, levels=len(choices), character=character))
        return self.do(who, c.ReceiveHarm(choices=list(choices)))


def person(name: str) -> AccountId:
    return AccountId(uuid5(NAMESPACE_URL, name))


def tags(events: Sequence[Any]) -> list[str]:
    return [event.__struct_config__.tag.partition(".")[2] for event in events]
