"""Renders sentences in the language of a campaign, from catalogues of translations.

English is the text in the code. Every other language has a folder beside this file with one catalogue (gettext PO)
per room: `campaign.po` for what every game has, `<system>.po` for a rule system. Babel reads them when the
language is first used, or before by `read_catalogues`. Untranslated messages appear in English.

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
from domain.sentences import ENGLISH, TERM, Number, Part, Plural, Sentence, Series, Term
from projections.languages import french

__all__ = ["GRAMMARS", "LANGUAGES", "TERM", "all_rendered", "read_catalogues", "render", "tell_refusal"]

GRAMMARS = {"fr": french}
"""For each language, how it joins a part to the text before it, and how it writes numbers."""

LANGUAGES = (ENGLISH, *GRAMMARS)
"""Every language that is spoken here."""


def read_catalogues() -> None:
    """Read the catalogues of all languages, which takes a tenth of a second, before anybody waits for them."""
    for language in GRAMMARS:
        _spoken(language)


def render(sentence: str | Sentence, language: str) -> str:
    """A sentence as text in a language: `en`, or one that has a folder here."""
    return str(sentence) if language == ENGLISH else _as_text(sentence, _spoken(language), language)


def all_rendered(value: Any, language: str) -> Any:
    """A value with every sentence in it as text; everything else stays as it is, names and codes too."""
    match value:
        case Sentence():
            return render(value, language)
        case dict():
            return {key: all_rendered(part, language) for key, part in value.items()}
        case list() | tuple():
            return [all_rendered(part, language) for part in value]
        case _:
            return value


def tell_refusal(refusal: Rejection, language: str) -> None:
    """Put a refusal into a language, with its details."""
    refusal.message = render(refusal.message, language)
    refusal.details = all_rendered(refusal.details, language)


def _as_text(sentence: str | Sentence, spoken: Translations, language: str, case: str = "") -> str:
    match sentence:
        case str():
            return spoken.ugettext(sentence) if sentence else ""  # the empty message id is a catalogue's header
        case Series(last=""):
            between: str = GRAMMARS[language].sign(sentence.message)
            return between.join(_part(part, spoken, language, case) for part in sentence.pieces)
        case Series():
            parts = [_part(part, spoken, language, case) for part in sentence.pieces]
            return format_list(parts, "or" if sentence.last == "or" else "standard", locale=language)
        case Number():
            return _part(sentence.n, spoken, language, case)
        case Term():
            return _with_case(spoken.upgettext(sentence.context, sentence.message), case)
        case Plural():
            message = spoken.ungettext(sentence.message, sentence.many, sentence.n)
        case _:
            message = spoken.ugettext(sentence.message)
    return _with_case(_filled(message, sentence, spoken, language) if sentence.parts else message, case)


def _filled(message: str, sentence: Sentence, spoken: Translations, language: str) -> str:
    """A translation with its parts filled in: names unchanged, numbers and sentences in the language."""
    text = ""
    for literal, name, case in _pieces(message):
        text += literal
        if name:
            text = GRAMMARS[language].joint(text, _part(sentence.parts[name], spoken, language, case))
    return text


def _part(part: Part, spoken: Translations, language: str, case: str) -> str:
    if isinstance(part, Sentence):
        return _as_text(part, spoken, language, case)
    return part if isinstance(part, str) else GRAMMARS[language].number(part)


def _with_case(text: str, case: str) -> str:
    """A word or sentence with its first letter in lower (`l`) or upper (`u`) case; all-capital words stay."""
    if not case or text[1:2].isupper():
        return text
    return (text[:1].lower() if case == "l" else text[:1].upper()) + text[1:]


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
