"""Something hidden comes into play, or is told again as it stands by now."""

from msgspec import UNSET, UnsetType

from domain.sentences import Sentence, say


def came(who: str, anew: bool | UnsetType) -> Sentence:
    """Who is seen from here on; `anew`: they were before, and what was told of them is put right."""
    if anew is UNSET or not anew:
        return say("{who} came into play", who=who)
    return say("What is known of {who} is told anew", who=who)
