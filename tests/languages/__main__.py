"""Brings the catalogues up to what the code says: `python -m tests.languages ROOM…`.

New messages get an empty translation to fill in, those that nobody says any more go; translations stay.
"""

import sys

from babel.messages import Catalog
from babel.messages.pofile import write_po

from tests.languages.messages import LANGUAGES, TRANSLATED, catalogue_path, said_by, translations


def bring_up(language: str, room: str) -> None:
    path = catalogue_path(language, room)
    known = translations(language, room) if path.exists() else {}
    fresh = Catalog(locale=language, fuzzy=False)
    for message in sorted(said_by(room), key=lambda each: (each.context, each.text)):
        into = known.get(message, ("", "") if message.many else ("",))
        if message.many:
            fresh.add((message.text, message.many), into, context=message.context or None)
        else:
            fresh.add(message.text, into[0], context=message.context or None)
    with path.open("wb") as out:
        out.write(f'msgid ""\nmsgstr ""\n"Language: {language}\\n"\n'.encode())
        out.write(f'"Plural-Forms: {fresh.plural_forms}\\n"\n'.encode())
        out.write(b'"Content-Type: text/plain; charset=utf-8\\n"\n\n')
        write_po(out, fresh, width=115, no_location=True, omit_header=True)
    translations.cache_clear()
    empty = sum(not all(into) for into in translations(language, room).values())
    print(f"{path.name} ({language}): {len(fresh)} messages, {empty} of them without a translation")  # noqa: T201


for each in sys.argv[1:] or TRANSLATED:
    for spoken in LANGUAGES:
        bring_up(spoken, each)
