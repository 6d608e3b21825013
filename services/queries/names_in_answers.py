"""Beside every id in an answer, what people call it: no client has to look a name up."""

import re
from collections.abc import Iterable
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from msgspec import Struct, structs

from domain.ids import AccountId
from services.queries.campaign_reader import VisibleCampaign

_ID = re.compile(
    rb"(?<![0-9a-z_-])(?:(?P<thing>[a-z_]+(?:-[a-z_]+)*-[0-9a-f]{12})|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
    rb"(?![0-9a-f-])"
)
_encoder = msgspec.json.Encoder()

Answer = TypeVar("Answer", bound=Struct)


def named(answer: Answer, *seen: VisibleCampaign) -> Answer:
    """The answer with its `names`."""
    return structs.replace(answer, names=names_in(answer, *seen))


def names_in(answer: Any, *seen: VisibleCampaign) -> dict[str, str]:
    """What its reader calls the people and things whose ids stand in an answer; what has no name is left out.

    An answer about several moments takes each name from the first of them that has it. The names come in the order
    of the answer, which does not rest on how ids were drawn.
    """
    found = {each[0].decode(): each["thing"] is not None for each in _ID.finditer(_encoder.encode(answer))}
    names = {
        each: _first(_thing(each, moment) if is_thing else _person(each, moment) for moment in seen)
        for each, is_thing in found.items()
    }
    return {each: name for each, name in names.items() if name}


def _first(names: Iterable[str | None]) -> str | None:
    return next(filter(None, names), None)


def _person(account: str, seen: VisibleCampaign) -> str | None:
    """The name of a present or former member; strangers have none here."""
    known, state = AccountId(UUID(account)), seen.state
    is_ours = known in state.members or known in state.former_members or known in state.imported_people
    return seen.name(known) if is_ours else None


def _thing(thing: str, seen: VisibleCampaign) -> str | None:
    name = seen.name(thing)
    return name if name != thing else None
