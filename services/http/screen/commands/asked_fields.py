"""The possible values of a command's fields, where some decide what may stand in others."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from msgspec import UNSET, Struct

from domain.offers.fields import fields_of
from projections.command_forms import CommandField, CommandOffer
from services.http.screen.commands.command_list import OPEN_THINGS
from services.http.screen.commands.form_entries import (
    COMMAND,
    Entries,
    FormEntries,
    entries_of,
    read_command,
)


async def ask_fields(
    ask: Callable[[Mapping[str, Any]], Awaitable[CommandOffer]],
    kind: type[Struct],
    entries: Entries,
    *,
    is_sent: bool,
    root: str = COMMAND,
) -> tuple[CommandOffer, list[CommandField], Entries]:
    """The offer of a command as far as it is entered, its fields, and the entries with those that are certain.

    Fields that others depend on are given one after the other. `ask` gives the offer for the values of some. In a
    form that is new, the only choice of such a field is made.
    """
    shapes = fields_of(kind)
    command = read_command(kind, FormEntries(entries), root)
    offer = await ask({})
    views = {view.name: view for view in offer.fields}
    asking = [field for field in shapes if any(field.name in other.asked_with for other in shapes)]
    values: dict[str, Any] = {}
    for field in sorted(asking, key=lambda field: len(field.depends)):
        choices = views[field.name].choices or [] if field.name in views else []
        value = command.get(field.name)
        open_to = [choice.value for choice in choices if choice.refused is None]
        is_meant = field.required or field.ref in OPEN_THINGS
        if value is None and is_meant and not is_sent and len(open_to) == 1:
            value = open_to[0]
            entries = [*entries, *entries_of(kind, {field.name: value}, root)]
        if value in [choice.value for choice in choices]:
            values[field.name] = value
            offer = await ask(values)
            views |= {view.name: view for view in offer.fields}
    flags = {field.name: True for field in shapes if field.kind == "flag" and command.get(field.name) is True}
    if flags and any(view.budget is not UNSET for view in views.values()):
        views |= {view.name: view for view in (await ask({**values, **flags})).fields}
    return offer, [views[field.name] for field in shapes if field.name in views], entries
