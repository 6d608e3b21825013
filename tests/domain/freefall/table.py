"""A table at which FREE/FALL is played: one state, its facts, and people who ask."""

from collections.abc import Sequence
from typing import Any

from domain.systems.freefall import FREEFALL
from domain.systems.freefall import commands as c
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Binding, FreefallState, ItemDraft, Weapon
from tests.domain.system_table import SystemTable

PEOPLE = ("kai", "noor")
ARMOUR = ItemDraft(name="Armour", binding=Binding(body=3), av={"physical": 2})
DECK = ItemDraft(name="Deck", binding=Binding(mind=2), enables=["hack"], bonus={"hack": 2})
GUN = ItemDraft(name="Gun", binding=Binding(body=1), weapon=Weapon(dv=2))
LIMB = ItemDraft(name="Limb", kind="augmentation", binding=Binding(body=1, ghost=1), hardened=True, invasive=True)


class Table(SystemTable):
    """`gm` is the GM, `kai` and `noor` are players; their characters are created when asked for."""

    SYSTEM = FREEFALL
    RULES = "FF-"
    FACES = (10,)
    PEOPLE = PEOPLE

    state: FreefallState
    settings: Settings

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


def tags(events: Sequence[Any]) -> list[str]:
    return [event.__struct_config__.tag.partition(".")[2] for event in events]
