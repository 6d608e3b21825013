"""In the middle of recorded stories, every command that can be given has a form in words, and it is accepted."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import pytest

from domain.offers.fields import fields_of
from projections.command_forms import CommandOffer
from services.http.screen.commands.form_entries import FormEntries, entries_of, read_command
from tests.offers.moments import STORIES
from tests.web.html_page import Element, page_of
from tests.web.story_forms import Reading, readings

LANGUAGES = ("en", "fr")
RAW_ID = re.compile(r"\b[a-z]+-[0-9a-f]{12}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}", re.IGNORECASE)
LABELLED = ("input", "select", "textarea")
TOLD_BY_THE_RULES = "register_loadout"
"""A command's name in the rules' own sentence of why a character cannot be adopted."""
ERRORS = ("error", "not-yet", "notice bad")
SHORT = ("undo", "downtime", "secrets")
UNSEEN = ("hidden",)
CHOSEN = ("choice", "any")


def faults_of(page: Element) -> Iterator[str]:
    """What a reader of a page would stumble over."""
    main = page.one("main")
    if RAW_ID.search(main.text):
        yield f"an id: {RAW_ID.findall(main.text)[:2]}"
    if "_" in main.text.replace(TOLD_BY_THE_RULES, ""):
        yield f"an underscore: {re.findall(r'[^ ]*_[^ ]*', main.text)[:2]}"
    suggested = [each.attributes["value"] for many in main.all("datalist") for each in many.all("option")]
    yield from (f"an id is suggested: {each}" for each in suggested if RAW_ID.search(each))
    named = {each.attributes["for"] for each in main.all("label") if each.text and "for" in each.attributes}
    within = [each for label in main.all("label") if label.text for kind in LABELLED for each in label.all(kind)]
    for kind in LABELLED:
        for each in main.all(kind):
            is_named = each.attributes.get("id") in named or each in within or "aria-label" in each.attributes
            if each.attributes.get("type") not in UNSEEN and not is_named:
                yield f"no label: {each.attributes.get('name')}"


def nothing_to_choose(offer: CommandOffer) -> set[str]:
    """The paths of optional fields of a command that have nothing to choose from, as lists of choices, too."""
    optional = [field for field in offer.fields if field.nullable or not field.required]
    chosen = [(field.name, field.item if field.kind == "list" and field.item else field) for field in optional]
    return {f"c.{name}" for name, field in chosen if field.kind in CHOSEN and not field.choices}


def faults_in_forms(some: Iterable[Reading], nth_command: int = 1) -> list[str]:
    """What is wrong with forms at some moments; of every so many commands one is looked at."""
    found = []
    count = looked_at = 0
    for reading in some:
        table = reading.table()
        found += [f"{reading.nth} {each}" for each in faults_of(page_of(reading.html(reading.listed())))]
        offers = reading.offers()
        for offer in offers:
            count += 1
            if offer.possible == "no" or count % nth_command:
                continue
            looked_at += 1
            kind = table.kind(offer.command)
            sent = read_command(kind, FormEntries(entries_of(kind, offer.example or {})))
            where = f"{reading.nth} {reading.language} {offer.command}"
            if msgspec.convert(sent, kind) != msgspec.convert(offer.example, kind):
                found.append(f"{where}: sends {sent}")
            page = reading.form(offer.command, entries_of(kind, offer.example or {}))
            shown = {each.path for each in (*page.first, *page.more)}
            if not {f"c.{each.name}" for each in fields_of(kind)} - nothing_to_choose(offer) <= shown:
                found.append(f"{where}: fields are missing")
            if any(each.look == "nothing" and not each.required for each in (*page.first, *page.more)):
                found.append(f"{where}: asks for what has nothing to choose from")
            if page.preview.refused is not None:
                found.append(f"{where}: {page.preview.refused.detail}")
            found += [f"{where}: {each}" for each in faults_of(page_of(reading.html(page)))]
            fresh = page_of(reading.html(reading.form(offer.command, []))).one("main")
            told = [each.text for name in ERRORS for each in fresh.all("*", class_=name)]
            if any(told) or fresh.all("*", aria_invalid="true"):
                found.append(f"{where}: a new form begins with an error")
    return found if looked_at else ["nothing was looked at"]


@pytest.mark.parametrize(("story", "language"), [("undo", "en"), ("secrets", "fr")])
def test_forms_of_a_short_story_are_in_words_and_send_what_is_offered(story, language):
    assert faults_in_forms(readings(story, 15, (language,)), nth_command=15) == []


@pytest.mark.slow
@pytest.mark.parametrize("story", STORIES)
def test_forms_of_every_story_are_in_words_and_send_what_is_offered(story):
    assert faults_in_forms(readings(story, 12 if story in SHORT else 45, LANGUAGES), nth_command=5) == []


def titles_of_choices(part: Any) -> Iterator[str]:
    """What the choices of a command are called, in each of its fields and at any depth."""
    for each in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from titles_of_choices(each)
    if isinstance(part, dict) and {"value", "title"} <= part.keys():
        yield str(part["title"])


def called_alike(part: Any) -> Iterator[list[str]]:
    """The titles of each field's choices where two are called the same."""
    for each in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from called_alike(each)
    if isinstance(part, dict) and {"kind", "choices"} <= part.keys():
        titles = [each["title"] for each in part["choices"]]
        yield from [titles] if len({*titles}) < len(titles) else []


@pytest.mark.slow
@pytest.mark.parametrize("story", STORIES)
def test_everything_that_can_be_chosen_in_a_story_has_a_name_of_its_own(story):
    every = 3 if story in SHORT else 12
    offers = [offer for reading in readings(story, every, ("en",)) for offer in reading.offers()]
    sent = msgspec.to_builtins(offers)
    choices = {*titles_of_choices(sent)}
    assert choices
    assert {each for each in choices if RAW_ID.search(each)} == set()
    assert [*called_alike(sent)] == []


@pytest.mark.parametrize(
    "html",
    [
        "<main>pilot-0123456789ab</main>",
        "<main>Pilot-0123456789ab</main>",
        "<main>frame_state</main>",
        '<main><input name="c.mark"></main>',
        '<main><label for="a"></label><input id="a"></main>',
    ],
)
def test_what_a_reader_would_stumble_over_is_found(html):
    """Negative control."""
    assert [*faults_of(page_of(html))]


def test_a_form_in_words_has_no_faults():
    """Negative control."""
    good = '<main><label for="a">Mark</label><input id="a"><label>Open <input type="checkbox"></label></main>'
    assert [*faults_of(page_of(good))] == []
