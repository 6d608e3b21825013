"""The amounts shared out in FREE/FALL's commands: attributes at creation (FF-1), dice among actions (FF-8)."""

from collections.abc import Iterator, Mapping

from domain.command_context import CommandContext
from domain.field_references import Given
from domain.mechanics.budgets import Budget, Budgets
from domain.systems.freefall.commands import CreateCharacter, DeclareActions
from domain.systems.freefall.state import FreefallState
from domain.systems.freefall.tables import CREATION_ARRAY


def _attributes(_state: FreefallState, inputs: Given, context: CommandContext) -> Iterator[Budget]:
    if context.settings.creation_values == "public" and not inputs.get("npc"):
        total = sum(CREATION_ARRAY)
        yield Budget("permanents", ("item",), total, least=total, shares=CREATION_ARRAY)


def _dice(state: FreefallState, inputs: Given, context: CommandContext) -> Iterator[Budget]:
    """The dice of whom is named, else of the asker's only actor."""
    actors = state.board.actors if state.board is not None else []
    own = [
        actor
        for actor in actors
        if (who := state.characters.get(actor.actor)) is not None and who.player == context.account
    ]
    named_actors = [actor for actor in actors if actor.actor == inputs.get("character")]
    for actor in named_actors or own[:1] * (len(own) == 1):
        yield Budget("actions", ("item", "dice"), actor.dice_pool)


BUDGETS: Mapping[type, Budgets] = {CreateCharacter: _attributes, DeclareActions: _dice}
