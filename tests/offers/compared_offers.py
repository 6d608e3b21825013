"""All that an offer says, so that it can be compared with another one."""

from typing import Any

import msgspec

from domain.offers.possible_commands import Offer
from domain.rejection import Rejection


def in_words(offer: Offer | None) -> Any:
    """All that an offer says, to be compared."""
    if offer is None:
        return None
    choices = {
        path: [(choice.value, refused(choice.refusal), choice.certain) for choice in options]
        for path, options in offer.choices.items()
    }
    rest = offer.inputs, offer.possible, offer.example, offer.dice, offer.certain, offer.budgets, offer.bounds
    return msgspec.json.encode([refused(offer.refusal), repr(choices), repr(rest)]), offer.fields


def refused(refusal: Rejection | None) -> str:
    """All that a refusal says."""
    return "" if refusal is None else repr((refusal.code, refusal.rule, refusal.message, refusal.details))
