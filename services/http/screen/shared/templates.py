"""Turns page structs into HTML, in the reader's language."""

import re
from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from math import ceil
from pathlib import Path
from types import CodeType
from typing import Any

from babel import Locale
from babel.dates import format_date, format_timedelta
from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket

from domain.sentences import Part, Plural, Sentence, number, say
from projections.campaign_words.narration import span
from projections.languages import LANGUAGES, render
from projections.setting_words import capitalise
from services.http.screen.shared.static_files import asset
from services.runtime.base_path import base_path
from services.runtime.reader_language import reader_time_zone

SCREEN = Path(__file__).parents[1]
FOLDERS = (Path(__file__).parent / "templates", *sorted({path.parent for path in SCREEN.glob("*/*.html")}))
"""Where templates lie: those of several features, then each feature's own. No two have the same name."""
MICROSECONDS = 1_000_000
LANGUAGE_NAMES = [(language, (Locale(language).display_name or language).capitalize()) for language in LANGUAGES]
"""Each language with its name for itself."""
DATES = {"en": "en_GB"}
"""The places whose dates are written, where that is not simply the language's own."""


class _CompiledCode(BytecodeCache):
    """The code of each template, which is the same in all languages."""

    def __init__(self) -> None:
        self._code: dict[str, CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a template the code that another language has compiled."""
        bucket.code = self._code.get(bucket.key)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        assert bucket.code is not None
        self._code[bucket.key] = bucket.code


_compiled_code = _CompiledCode()


def compile_templates() -> Generator[None]:
    """Compile all templates in all languages, one at each step.

    A template compiled only when it is first shown keeps everybody else waiting for a tenth of a second and more.
    """
    for language in LANGUAGES:
        jinja = environment(language)
        for template in jinja.list_templates(extensions=["html"]):
            jinja.get_template(template)
            yield


def template_files() -> list[Path]:
    """All templates, folder by folder."""
    return [path for folder in FOLDERS for path in sorted(folder.glob("*.html"))]


@cache
def environment(language: str) -> Environment:
    """The templates in a language: `en`, or one that has catalogues.

    A name that a template does not know is an error, and every value is escaped.
    """
    jinja = Environment(
        loader=FileSystemLoader(FOLDERS),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=_compiled_code,
    )
    jinja.globals.update(
        asset=asset,
        language=language,
        languages=LANGUAGE_NAMES,
        say=partial(_say, language),
        say_many=partial(_say_many, language),
    )
    jinja.filters.update(
        told=partial(_as_text, language),
        heading=partial(_as_heading, language),
        figure=partial(_figure, language),
        day=partial(_day, language),
        ago=partial(_ago, language),
        left=partial(_time_left, language),
        instant=_instant,
        clock=_clock,
    )
    return jinja


def render_template(template: str, language: str, **values: Any) -> str:
    """A template of the folder, filled in; addresses of the service in it are told below its base path."""
    html = environment(language).get_template(template).render(values)
    base = base_path()
    return _addresses_without(base).sub(rf"\g<0>{base}", html) if base else html


@cache
def _addresses_without(base: str) -> re.Pattern[str]:
    """Where an address of the service comes in a page, unless it has its base path, as in a part made before.

    People's own words have no quotes in them: they are escaped.
    """
    return re.compile(rf'\s(?:href|src|action|data-path|data-feed|data-script|data-here)="(?=/)(?!{base}/)')


def _say(language: str, message: str, /, **parts: Part) -> str:
    return render(Sentence(message, parts), language)


def _say_many(language: str, one: str, many: str, n: int, /, **parts: Part) -> str:
    return render(Plural(one, {"n": n, **parts}, many, n), language)


def _as_text(language: str, sentence: Part) -> str:
    """A sentence of a page struct; a name stays as it is."""
    return render(sentence, language) if isinstance(sentence, Sentence) else str(sentence)


def _as_heading(language: str, title: Part) -> str:
    """A word that stands by itself, as a heading or a label: it begins large. A name stays as it is."""
    return capitalise(_as_text(language, title)) if isinstance(title, Sentence) else str(title)


def _figure(language: str, n: int) -> str:
    """A number with its thousands separated."""
    return render(number(n), language)


def _day(language: str, when: str | int | datetime, form: str = "long") -> str:
    """The date of a moment where its reader is: `4 March 2026`."""
    return format_date(where_read(_moment(when)), format=form, locale=DATES.get(language, language))


def _ago(language: str, when: str | int | datetime) -> str:
    """How long ago a moment was, or how soon it comes: `3 days ago`."""
    span = _moment(when) - datetime.now(UTC)
    return format_timedelta(span, granularity="minute", add_direction=True, locale=language)


def _time_left(language: str, when: str | int | datetime) -> str:
    """How soon a moment comes, to the minute: `in 59 minutes`; empty where it has come."""
    minutes = ceil((_moment(when) - datetime.now(UTC)) / timedelta(minutes=1))
    return render(say("in {span}", span=span(60 * minutes)), language) if minutes > 0 else ""


def _instant(when: str | int | datetime) -> str:
    """A moment for the `datetime` of a `<time>`."""
    return _moment(when).isoformat(timespec="seconds")


def _clock(when: str | int | datetime) -> str:
    """The time of day where its reader is: `18:05`."""
    return f"{where_read(_moment(when)):%H:%M}"


def where_read(moment: datetime) -> datetime:
    """A moment in the time zone that its reader says, else in that of the service."""
    return moment.astimezone(reader_time_zone())


def _moment(when: str | int | datetime) -> datetime:
    """A moment given as a `datetime`, as RFC 3339 text, or in microseconds since 1970."""
    match when:
        case datetime():
            return when.astimezone(UTC)
        case int():
            return datetime.fromtimestamp(when / MICROSECONDS, UTC)
        case _:
            return datetime.fromisoformat(when).astimezone(UTC)
