"""Sentences for hidden things that enter play, or are told again in their current state."""

from msgspec import UNSET, UnsetType

from domain.sentences import Sentence, say


def came(who: str, anew: bool | UnsetType) -> Sentence:
    """A character or thing that is visible from now on.

    `anew`: it was visible before, and outdated knowledge of it is replaced.
    """
    if anew is UNSET or not anew:
        return say("{who} came into play", who=who)
    return say("What is known of {who} is told anew", who=who)
