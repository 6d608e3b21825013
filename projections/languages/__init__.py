"""Renders sentences in the language of a campaign, from catalogues of translations.

English is the text in the code. Every other language has a folder beside this file with one catalogue (gettext PO)
per room: `campaign.po` for what every game has, `<system>.po` for a rule system. Babel reads them when the
language is first used. Untranslated messages appear in English.

A translation writes `{what!l}` for a term that begins in lower case here, and `{what!u}` for a part that begins
the sentence. A module per language joins parts to the text before them.
"""

from functools import cache
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Any

from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

from domain.rejection import Rejection
from domain.sentences import ENGLISH, TERM, Counted, Joined, Number, Part, Sentence, Term
from projections.languages import french

__all__ = ["GRAMMARS", "LANGUAGES", "TERM", "all_rendered", "render", "tell_refusal"]

GRAMMARS = {"fr": french}
"""For each language, how it joins a part to the text before it, and how it writes numbers."""

LANGUAGES = (ENGLISH, *GRAMMARS)
"""Every language that is spoken here."""


def render(said: str | Sentence, language: str) -> str:
    """A sentence as text in a language: `en`, or one that has a folder here."""
    return str(said) if language == ENGLISH else _rendered(said, _spoken(language), language)


def all_rendered(value: Any, language: str) -> Any:
    """A value with every sentence in it as text; what is no sentence stays as it is, names and codes too."""
    match value:
        case Sentence():
            return render(value, language)
        case dict():
            return {key: all_rendered(each, language) for key, each in value.items()}
        case list() | tuple():
            return [all_rendered(each, language) for each in value]
        case _:
            return value


def tell_refusal(refusal: Rejection, language: str) -> None:
    """Put a refusal into a language, with its details."""
    refusal.message = render(refusal.message, language)
    refusal.details = all_rendered(refusal.details, language)


def _rendered(said: str | Sentence, spoken: Translations, language: str, case: str = "") -> str:
    match said:
        case str():
            return spoken.ugettext(said) if said else ""  # the empty message id is a catalogue's header
        case Joined(last=""):
            between: str = GRAMMARS[language].sign(said.message)
            return between.join(_part(each, spoken, language, case) for each in said.each)
        case Joined():
            each = [_part(part, spoken, language, case) for part in said.each]
            return format_list(each, "or" if said.last == "or" else "standard", locale=language)
        case Number():
            return _part(said.n, spoken, language, case)
        case Term():
            return _begun(spoken.upgettext(said.context, said.message), case)
        case Counted():
            message = spoken.ungettext(said.message, said.many, said.n)
        case _:
            message = spoken.ugettext(said.message)
    return _begun(_filled(message, said, spoken, language) if said.parts else message, case)


def _filled(message: str, said: Sentence, spoken: Translations, language: str) -> str:
    """A translation with its parts filled in: names unchanged, numbers and sentences in the language."""
    told = ""
    for literal, name, case in _pieces(message):
        told += literal
        if name:
            told = GRAMMARS[language].joint(told, _part(said.parts[name], spoken, language, case))
    return told


def _part(part: Part, spoken: Translations, language: str, case: str) -> str:
    if isinstance(part, Sentence):
        return _rendered(part, spoken, language, case)
    return part if isinstance(part, str) else GRAMMARS[language].number(part)


def _begun(told: str, case: str) -> str:
    """A word or sentence with its first letter in lower (`l`) or upper (`u`) case; all-capital words stay."""
    if not case or told[1:2].isupper():
        return told
    return (told[:1].lower() if case == "l" else told[:1].upper()) + told[1:]


@cache
def _pieces(message: str) -> list[tuple[str, str, str]]:
    """A translation split into its texts, the part that follows each, and that part's case."""
    return [(literal, name or "", case or "") for literal, name, _, case in Formatter().parse(message)]


@cache
def _spoken(language: str) -> Translations:
    """All translations of a language."""
    spoken: Translations | None = None
    for path in sorted((Path(__file__).parent / language).glob("*.po")):
        with path.open("rb") as source:
            catalogue = read_po(source, locale=language, abort_invalid=True)
        compiled = BytesIO()
        write_mo(compiled, catalogue)
        compiled.seek(0)
        room = Translations(compiled)
        if spoken is None:
            spoken = room
        else:
            spoken.merge(room)
    assert spoken is not None, f"no catalogue speaks {language}"
    return spoken
