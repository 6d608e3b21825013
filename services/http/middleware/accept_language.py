"""The languages that a browser says its reader understands."""

from functools import lru_cache

from projections.languages import LANGUAGES

HEADER_LENGTH_MAX = 1000


@lru_cache(maxsize=1000)
def preferred_language(accepted: str) -> str | None:
    """The language spoken here that an `Accept-Language` header likes best; None: it names none of them."""
    liked: dict[str, float] = {}
    for part in accepted[:HEADER_LENGTH_MAX].split(","):
        tag, _, parameters = part.partition(";")
        language = tag.strip().partition("-")[0].lower()
        if language in LANGUAGES:
            liked[language] = max(_weight(parameters), liked.get(language, 0.0))
    best = max(liked, key=lambda language: liked[language], default=None)
    return best if best is not None and liked[best] > 0 else None


def _weight(parameters: str) -> float:
    name, _, value = parameters.replace(" ", "").partition("=")
    if name.lower() != "q":
        return 1.0
    try:
        weight = float(value)
    except ValueError:
        return 0.0
    return weight if 0 <= weight <= 1 else 0.0
