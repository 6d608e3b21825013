"""The label of a browser's session in the list of an account's sessions: its kind, and nothing more."""

from domain.sentences import Sentence, say

BROWSERS = (
    ("Firefox", ("Firefox/", "FxiOS/")),
    ("Edge", ("Edg/", "EdgA/", "EdgiOS/")),
    ("Opera", ("OPR/", "Opera")),
    ("Samsung Internet", ("SamsungBrowser/",)),
    ("Chrome", ("Chrome/", "CriOS/", "Chromium/")),
    ("Safari", ("Safari/",)),
)
"""By what each says of itself, which others say too: the first that fits."""
SYSTEMS = (
    ("Android", ("Android",)),
    ("iPhone", ("iPhone",)),
    ("iPad", ("iPad",)),
    ("Windows", ("Windows",)),
    ("ChromeOS", ("CrOS",)),
    ("macOS", ("Macintosh", "Mac OS X")),
    ("Linux", ("Linux", "X11")),
)


def browser_label(user_agent: str) -> Sentence:
    """A label of at most 80 characters for a `User-Agent`, whatever it holds."""
    browser, system = _first(BROWSERS, user_agent), _first(SYSTEMS, user_agent)
    if browser and system:
        return say("browser, {browser} on {system}", browser=browser, system=system)
    if browser or system:
        return say("browser, {kind}", kind=browser or system)
    return say("browser")


def _first(kinds: tuple[tuple[str, tuple[str, ...]], ...], user_agent: str) -> str:
    return next((name for name, marks in kinds if any(mark in user_agent for mark in marks)), "")
