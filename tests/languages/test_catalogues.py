"""Whatever the code says can be said in every language."""

import re

import pytest

from domain.campaign.settings import CampaignSettings
from domain.sentences import in_a_row, join_parts, say, say_many, term
from projections.languages import render
from projections.titles import ROOMS
from tests.languages.messages import (
    CATALOGUES,
    LANGUAGES,
    PLAYED,
    TRANSLATED,
    Message,
    faults,
    files_of,
    said_by,
    said_in,
    said_in_template,
    translations,
    unheard,
    unreadable,
)
from tests.refusals import WIRE
from tests.room_words import words_of
from tests.root import ROOT

EVERYWHERE = [(language, room) for language in LANGUAGES for room in TRANSLATED]


@pytest.mark.parametrize(("language", "room"), EVERYWHERE)
def test_every_message_has_a_translation_with_the_same_parts_and_no_translation_is_left_over(language, room):
    assert faults(language, room, said_by(room)) == []


@pytest.mark.parametrize("room", TRANSLATED)
def test_nothing_is_put_together_before_it_can_be_translated(room):
    wrong = {
        str(path.relative_to(ROOT)): lines
        for path in files_of(room)
        if (lines := [*unreadable(path.read_bytes())])
    }
    assert wrong == {}


def test_a_sentence_of_a_template_that_is_put_together_too_early_is_noticed():
    """Negative control."""
    assert said_in_template('<p title="{{ say("a") }}">{% set x = say_many("{n} b", "{n} bs", 2) %}') == {
        Message("a"),
        Message("{n} b", "{n} bs"),
    }
    with pytest.raises(ValueError, match="line 2"):
        said_in_template('{{ say("a") }}\n{{ say("a" ~ b) }}')


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_rooms_translate_the_same_message_differently(language):
    known: dict[Message, tuple[str, ...]] = {}
    for room in TRANSLATED:
        for message, into in translations(language, room).items():
            assert known.setdefault(message, into) == into


@pytest.mark.parametrize("room", TRANSLATED)
def test_french_keeps_its_signs_with_their_words(room):
    """No line breaks before a colon or inside quotation marks."""
    into = [text for texts in translations("fr", room).values() for text in texts]
    assert [text for text in into if re.search(r"(?<=\S) [:;!?»]|« |'", text)] == []


@pytest.mark.parametrize("room", TRANSLATED)
def test_nothing_is_called_by_a_wire_name(room):
    """What programs may need stands in a refusal's details."""
    texts = [text for message, into in translations("fr", room).items() for text in (*message[:2], *into)]
    assert [text for text in texts if WIRE.search(re.sub(r"{.*?}", "", text))] == []


@pytest.mark.parametrize("room", PLAYED)
def test_what_stands_in_quotation_marks_is_the_title_of_a_command_or_a_setting(room):
    titles = {str(word): word for each in ROOMS for word in words_of(each)}
    of_books = ROOT / "projections" / "systems" / room / "system_origin.py"
    said = said_by(room) - (said_in(of_books.read_bytes()) if of_books.exists() else set())
    marked = {message: re.findall("“([A-Z][^”{}]+)”", message.text) for message in said}
    for message, quoted in marked.items():
        for language in LANGUAGES:
            into = translations(language, room)[message][0]
            assert [each for each in quoted if render(titles[each], language) not in into] == []


def test_a_campaign_can_choose_exactly_the_languages_that_there_are():
    choices = CampaignSettings.__annotations__["language"].__origin__.__args__
    assert set(choices) == {"en", *LANGUAGES}
    assert {path.stem for path in CATALOGUES.rglob("*.po")} == set(TRANSLATED)


def test_an_untranslated_sentence_a_leftover_and_an_early_f_string_are_noticed():
    """Negative control."""
    offender = b"""
from domain.sentences import say, say_many, term
def refuse(name, n):
    say_many("{n} cog", "{n} cogs", n)
    term("grinding_noise")
    raise Rejection("no_cog", "There is no cog.") from say("{who} dropped it", who=name)
    told = say("{a} and {b}", a=say("{n} in here", n=say_many("{n} pin", "{n} pins", n)), b=term("rusty"))
"""
    said = said_in(offender)
    assert said == {
        Message("{n} cog", "{n} cogs"),
        Message("grinding noise", context="term"),
        Message("There is no cog."),
        Message("{who} dropped it"),
        Message("{a} and {b}"),
        Message("{n} in here"),
        Message("{n} pin", "{n} pins"),
        Message("rusty", context="term"),
    }
    found = faults("fr", "campaign", said | said_by("campaign") - {Message("Downtime ended")})
    assert len(found) == 9
    assert sum("not in fr" in each for each in found) == 8
    assert "campaign: nobody says 'Downtime ended'" in found
    assert unheard(say("{who} dropped it", who=term("gm")), translations("fr", "campaign")) == {
        Message("{who} dropped it")
    }
    early = (
        'from domain.sentences import say\nRejection("no", f"No {cog}.")\nsay("a" if b else "c")\nsay("fine")\n'
        'Malformed(f"{cog}")\nMalformed("fine")'
    )
    assert [*unreadable(early.encode())] == [2, 3, 5]


@pytest.mark.parametrize(
    ("sentence", "english", "french"),
    [
        (say("{who} left the campaign", who="{x}"), "{x} left the campaign", "{x} quitte la campagne"),
        (say_many("{n} day", "{n} days", 1), "1 day", "1 jour"),
        (say_many("{n} day", "{n} days", 0), "0 days", "0 jour"),
        (say_many("{n} day", "{n} days", 2), "2 days", "2 jours"),
        (term("gm"), "gm", "MJ"),
        (join_parts(["Ana", "Ben", term("observer")]), "Ana, Ben and observer", "Ana, Ben et observateur"),
        (join_parts([]), "", ""),
        (join_parts(["Ana"]), "Ana", "Ana"),
        (in_a_row([3, 1, 6], " "), "3 1 6", "3 1 6"),
        (say("{x} is not in the book", x=term("gm")), "gm is not in the book", "MJ is not in the book"),
        ("Downtime ended", "Downtime ended", "Le temps mort s\u2019achève"),
        ("", "", ""),
    ],
)
def test_a_sentence_is_said_in_either_language(sentence, english, french):
    assert render(sentence, "en") == english
    assert render(sentence, "fr") == french
