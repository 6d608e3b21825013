"""Sentences in the language of a campaign, from catalogues of translations.

English is what the code says. For any other language there is a folder beside this file with one catalogue
(gettext PO) per room: `campaign.po` for what belongs to every game, `<system>.po` for a rule system. They are
read with Babel when the language is first spoken. What no catalogue translates is told in English.
"""

from functools import cache
from io import BytesIO
from pathlib import Path

from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

from domain.sentences import ENGLISH, Counted, Joined, Sentence, Term

TERM = "term"
"""The context under which catalogues keep single words of a rulebook."""


def render(said: str | Sentence, language: str) -> str:
    """A sentence in a language: `en`, or one that has a folder here."""
    return str(said) if language == ENGLISH else _rendered(said, _spoken(language), language)


def _rendered(said: str | Sentence, spoken: Translations, language: str) -> str:
    match said:
        case str():
            return spoken.ugettext(said) if said else ""  # the empty message is the head of a catalogue
        case Joined(ends=True):
            return format_list([_part(each, spoken, language) for each in said.each], locale=language)
        case Joined():
            return said.message.join(_part(each, spoken, language) for each in said.each)
        case Term():
            return spoken.upgettext(TERM, said.message)
        case Counted():
            message = spoken.ungettext(said.message, said.many, said.n)
        case _:
            message = spoken.ugettext(said.message)
    if not said.parts:
        return message
    return message.format_map({name: _filled(part, spoken, language) for name, part in said.parts.items()})


def _filled(part: str | int | Sentence, spoken: Translations, language: str) -> str | int:
    """A part as it goes into its sentence: names and numbers as they are."""
    return _rendered(part, spoken, language) if isinstance(part, Sentence) else part


def _part(part: str | int | Sentence, spoken: Translations, language: str) -> str:
    return str(_filled(part, spoken, language))


@cache
def _spoken(language: str) -> Translations:
    """Everything that can be said in a language."""
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
