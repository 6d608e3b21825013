"""Changed settings as sentences: the setting's help text, and its new value."""

from typing import Any

from domain.campaign.events import SettingChanged
from domain.campaign.settings import LANGUAGE, help_of
from domain.sentences import Sentence, in_a_row, join_parts, say
from projections.campaign_words.setting_values import VALUES

LANGUAGES = {"en": say("English"), "fr": say("French")}


def tell(event: SettingChanged) -> Sentence:
    """A changed setting by its help text and value; a setting that no longer exists by its key."""
    help_text = help_of(event.key)
    setting = Sentence(help_text) if help_text else say("{key}.", key=event.key)
    if event.value is None:
        return say("A setting is at its default again. {setting}", setting=setting)
    return say("A setting was changed. {setting} Now: {value}", setting=setting, value=_value(event))


def _value(event: SettingChanged) -> str | Sentence:
    match event.value:
        case True:
            return say("yes")
        case False:
            return say("no")
        case str() as language if event.key == LANGUAGE:
            return LANGUAGES.get(language, language)
        case str() as word if word in VALUES.get(event.key, ()):
            return VALUES[event.key][word]
        case _:
            return _plain(event.value)


def _plain(value: Any) -> str | Sentence:
    """A setting's value: of named items their names, of a table its contents."""
    match value:
        case {"title": title}:
            return str(title)
        case {"name": str(name)}:
            return name
        case dict():
            return in_a_row(
                (
                    in_a_row([key.replace("_", " "), _plain(entry)], ": ")
                    for key, entry in value.items()
                    if entry != {}
                ),
                "; ",
            )
        case []:
            return say("nothing")
        case list():
            return join_parts(map(_plain, value))
        case _:
            return str(value)
