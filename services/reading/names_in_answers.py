"""Beside every id in an answer, what people call it: no client has to look a name up."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from msgspec import Struct, structs

from domain.campaign.subjects import ids_in
from domain.ids import AccountId
from services.campaign.visible_campaign import VisibleCampaign

_encoder = msgspec.json.Encoder()

HASH_BYTES = 16
TEXTS_MAX = 512
"""The ids of so many texts are kept, at about a hundred bytes each."""
_looked_through: dict[bytes, dict[str, bool]] = {}

Answer = TypeVar("Answer", bound=Struct)


def with_names(answer: Answer, *campaigns: VisibleCampaign) -> Answer:
    """The answer with its `names`."""
    return structs.replace(answer, names=names_in(answer, *campaigns))


def names_in(answer: Any, *campaigns: VisibleCampaign) -> dict[str, str]:
    """The reader's names of the people and things whose ids stand in an answer; ids without a name are left out.

    An answer about several moments takes each name from the first of them that has it. The names come in the order
    of the answer, which does not rest on how ids were drawn.
    """
    names = {
        key: _first(_thing(key, moment) if is_thing else _person(key, moment) for moment in campaigns)
        for key, is_thing in _ids_in(_encoder.encode(answer)).items()
    }
    return {key: name for key, name in names.items() if name}


def _ids_in(text: bytes) -> dict[str, bool]:
    """The ids in JSON, in its order, each with whether it is a thing's.

    They are kept for the texts that were looked through last, the texts themselves are not.
    """
    key = blake2b(text, digest_size=HASH_BYTES).digest()
    ids = _looked_through.pop(key, None)
    if ids is None:
        ids = {word.decode(): is_thing for word, is_thing in ids_in(text)}
    _looked_through[key] = ids
    if len(_looked_through) > TEXTS_MAX:
        del _looked_through[next(iter(_looked_through))]
    return ids


def _first(names: Iterable[str | None]) -> str | None:
    return next(filter(None, names), None)


def _person(account: str, campaign: VisibleCampaign) -> str | None:
    """The name of a present or former member; strangers have none here."""
    account_id, state = AccountId(UUID(account)), campaign.state
    is_ours = (
        account_id in state.members or account_id in state.former_members or account_id in state.imported_people
    )
    return campaign.name(account_id) if is_ours else None


def _thing(thing: str, campaign: VisibleCampaign) -> str | None:
    name = campaign.name(thing)
    return name if name != thing else None
