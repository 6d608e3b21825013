"""What French does where a sentence meets its parts (review of the language, French 1 to 3, 6 and 10)."""

import pytest

from domain.sentences import either, in_a_row, join_parts, number, say, say_many, term
from projections.languages import french, render

NBSP, THIN, APOSTROPHE = "\u00a0", "\u202f", "\u2019"


@pytest.mark.parametrize(
    ("before", "part", "told"),
    [
        ("aux mains de ", "Otto 7d4f", "aux mains d'Otto 7d4f"),
        ("attend que ", "Anvil", "attend qu'Anvil"),
        ("attend que ", "Mara", "attend que Mara"),
        ("un test de ", "astuce", "un test d'astuce"),
        ("un test de ", "acuité", "un test d'acuité"),
        ("la défense de ", "Élodie", "la défense d'Élodie"),
        ("Le ", "agent", "L'agent"),
        ("prend la ", "usine", "prend l'usine"),
        ("Lorsque ", "Anka", "Lorsqu'Anka"),
        ("jusque ", "Oslo", "jusqu'Oslo"),
        ("ce ", "essai", "cet essai"),
        ("ce ", "test", "ce test"),
        ("de ", "Œil", "d'Œil"),
        # Not the end of a longer word, and nothing but the little words.
        ("mande ", "Anvil", "mande Anvil"),
        ("aide-le ", "Anvil", "aide-le Anvil"),
        ("pour ", "Anvil", "pour Anvil"),
        # A figure, a letter by its name, a quotation mark and nothing at all stop it.
        ("avance de ", "8", "avance de 8"),
        ("de ", "A", "de A"),
        ("de ", f"«{NBSP}Anvil{NBSP}»", f"de «{NBSP}Anvil{NBSP}»"),
        ("de ", "", "de "),
        ("de ", "onze", "de onze"),
        ("de ", "ouistiti", "de ouistiti"),
        ("de ", "Oui-Dire", "de Oui-Dire"),
        # y is a vowel before a consonant only.
        ("de ", "Yvonne", "d'Yvonne"),
        ("de ", "Yasmina", "de Yasmina"),
        # A mute h: words of the rulebooks, and names made of such words.
        ("un test de ", "honneur", "un test d'honneur"),
        ("une dose de ", "humanité", "une dose d'humanité"),
        ("le compte de ", "Hydra", "le compte d'Hydra"),
        ("un tour de ", "Horloger (IA)", "un tour d'Horloger (IA)"),
        ("le ", "historique", "l'historique"),
        ("une ", "heure", "une heure"),
        ("de ", "Hélène", "d'Hélène"),
        ("la ", "héroïne", "l'héroïne"),
        # Any other h is read as aspirated: « de Hugo » is read without a stumble, « d'Harrier » is not.
        ("le ", "héros", "le héros"),
        ("le ", "hangar", "le hangar"),
        ("de ", "hasard", "de hasard"),
        ("la ", "haine", "la haine"),
        ("la ", "honte", "la honte"),
        ("le ", "handicap", "le handicap"),
        ("la ", "hiérarchie", "la hiérarchie"),
        ("de ", "Harrier", "de Harrier"),
        ("de ", "Hugo", "de Hugo"),
        ("de ", "Heron", "de Heron"),
        ("de ", "Hanno", "de Hanno"),
    ],
)
def test_a_little_word_elides_before_a_vowel_and_a_mute_h(before, part, told):
    assert french.joint(before, part) == told.replace("'", APOSTROPHE)


@pytest.mark.parametrize(
    ("n", "told"),
    [(0, "0"), (999, "999"), (6768, f"6{THIN}768"), (1_234_567, f"1{THIN}234{THIN}567"), (-3000, f"-3{THIN}000")],
)
def test_thousands_stand_apart_in_french(n, told):
    assert french.number(n) == told
    assert render(number(n), "fr") == told


def test_what_stands_between_parts_keeps_its_space():
    assert render(in_a_row(["a", "b"], "; "), "fr") == f"a{THIN}; b"
    assert render(in_a_row(["a", "b"], ": "), "fr") == f"a{NBSP}: b"
    assert render(in_a_row(["a", "b"]), "fr") == "a, b"


def test_the_grammar_is_used_wherever_a_sentence_is_filled():
    erased = say_many("{n} text of {who} was erased", "{n} texts of {who} were erased", 2000, who="Otto")
    assert render(erased, "fr") == f"2{THIN}000 textes d{APOSTROPHE}Otto ont été effacés"
    assert str(erased) == "2,000 texts of Otto were erased"
    assert str(number(6768)) == "6,768"


def test_alternatives_end_in_or():
    """French 10 and English 7: what one is to be chosen of."""
    choices = either(["Bastion", "Ogre", term("gm")])
    assert (str(choices), render(choices, "fr")) == ("Bastion, Ogre or gm", "Bastion, Ogre ou MJ")
    assert (str(either(["Ogre"])), render(either(["Ogre"]), "fr"), str(either([]))) == ("Ogre", "Ogre", "")


def test_a_translation_says_whether_a_word_of_the_rulebook_begins_small():
    """French 1 and 4: Overdrive's « Armes » inside a sentence of Frame State."""
    assert (
        render(say("an advance of {category}", category=term("weapons")), "fr")
        == f"une progression d{APOSTROPHE}armes"
    )
    categories = join_parts([term("tuning"), term("weapons")])
    assert render(say("The catalogue was set: {categories}", categories=categories), "fr").endswith("et armes")
    assert render(term("weapons"), "fr") == "Armes"
