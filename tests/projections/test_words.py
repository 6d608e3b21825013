"""Whatever programs call by a wire name, people call by a word, in English and in French."""

from typing import get_args

import pytest

from domain.campaign.commands import AdoptCharacter, PlayCommand, SetSetting
from domain.campaign.settings import OWN
from domain.sentences import Term, number
from domain.systems import SYSTEMS
from domain.systems.freefall.commands import DeclareActions
from domain.systems.mobile_frame.commands import AssignDie, ResolveAttack
from domain.systems.overdrive.commands import Restore, RollDefense, StartCombat
from domain.systems.overdrive.tables import Stat
from projections.command_forms import CommandWords
from projections.languages import render
from projections.systems import SYSTEM_VIEWS
from projections.systems.overdrive.sheet import CharacterSheetView
from projections.titles import (
    ROOMS,
    command_title,
    field_title,
    groups_of,
    room_of,
    structs_of,
    value_title,
    vocabulary_of,
)
from projections.vocabulary import Vocabulary, command_word, field_word, value_word
from tests.room_words import words_of

LANGUAGES = ("en", "fr")
PLAIN = Vocabulary()
BY_ITSELF = {
    "angst": {"angst.recover_core"},
    "frame_state": {"frame_state.post_payout"},
    "mobile_frame": {"mobile_frame.set_tactical_order"},
    "overdrive": {"overdrive.post_objective_award"},
    "campaign": {"campaign.finish_activity", "campaign.fire_timer"},
}
"""Commands that only workers give."""


def test_a_word_follows_from_its_wire_name_unless_another_is_said():
    assert render(command_title("overdrive.roll_initiative"), "en") == "Roll initiative"
    assert render(command_title("overdrive.roll_defense"), "en") == "Roll a defence"
    assert render(field_title(RollDefense, "cover_dice"), "en") == "Cover dice"
    assert render(field_title(Restore, "mode"), "en") == "Mode of the mech"
    assert render(value_title(StartCombat, "scale", "foot"), "en") == "On foot"
    assert value_title(StartCombat, "scale", 2) == number(2)
    assert render(value_title(AdoptCharacter, "system", "freefall"), "fr") == "FREE/FALL"
    assert render(value_title(SetSetting, "key", "campaign.dice_origins"), "en") == "Whose dice count"
    assert render(value_title(SetSetting, "key", "overdrive.roll_defense"), "en") == "Roll a defence"


def test_the_same_word_is_said_in_french_as_each_rulebook_says_it():
    assert render(command_title("overdrive.roll_defense"), "fr") == "Lancer une Défense"
    assert render(field_title(RollDefense, "cover_dice"), "fr") == "Dés de couverture"
    assert render(value_title(RollDefense, "use", "score:movement"), "fr") == "Mouvement"
    assert render(value_title(AssignDie, "action", "movement"), "fr") == "Déplacement"


@pytest.mark.parametrize(("language", "told"), [("en", "Actions: none"), ("fr", "Pas d\u2019actions")])
def test_a_list_that_is_empty_where_it_could_be_otherwise_is_said(language, told):
    words = CommandWords(str, language)
    assert words.values_title(DeclareActions, {"actions": []}) == told
    assert words.values_title(ResolveAttack, {"target_losses": []}) == "", "as it is where nothing is said"


@pytest.mark.parametrize("room", ROOMS)
def test_no_word_is_empty_or_reads_like_a_wire_name(room):
    assert [each for each in words_of(room) if not readable(each)] == []


def readable(word):
    said = render(word, "en")
    begins_large = not isinstance(word, Term) or said[:1].isupper() or said[1:].isdigit()
    return said.strip() != "" and "_" not in said and begins_large


@pytest.mark.parametrize("room", ROOMS)
def test_a_vocabulary_says_only_what_the_wire_names_do_not_say(room):
    """And nothing of what is no longer there."""
    said = vocabulary_of(room)
    used = set()
    own = ((struct, fields) for each in ROOMS for struct, fields in structs_of(each).items())
    for struct, fields in ((struct, fields) for struct, fields in own if room_of(struct) == room):
        used.add(("commands", str(struct.__struct_config__.tag).partition(".")[2]))
        for name, held in fields.items():
            names = (f"{struct.__name__}.{name}", name, name.removesuffix("_id"), name.removesuffix("_name"))
            used |= {("fields", key) for key in names} | {("book_words", name)}
            used |= {("values", key) for word in held.words for key in (f"{name}={word}", word)}
    parts = [each for each in Vocabulary.__struct_fields__ if each != "groups"]
    assert {(part, key) for part in parts for key in getattr(said, part)} - used == set()
    assert [key for key, word in said.commands.items() if word == command_word(PLAIN, key).message] == []
    assert [key for key, word in said.fields.items() if word == field_word(PLAIN, "", key).message] == []
    assert [key for key, word in said.values.items() if word == value_word(PLAIN, "", key).message] == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_command_that_members_give_stands_in_one_group(room):
    commands = get_args(PlayCommand if room == OWN else SYSTEMS[room].commands)
    grouped = [name for _, names in groups_of(room) for name in names]
    assert {str(each.__struct_config__.tag) for each in commands} - set(grouped) == BY_ITSELF.get(room, set())
    assert len(grouped) == len(set(grouped)) == len(commands) - len(BY_ITSELF.get(room, set()))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("room", ROOMS)
def test_nothing_beside_each_other_is_called_the_same(room, language):
    """Neither two fields of a struct, but for an id and its name, nor two values of a field."""
    alike: list[tuple[str, ...]] = []
    for struct, fields in structs_of(room).items():
        named = {name.removesuffix("_name") for name in fields}
        told = [render(field_title(struct, name), language) for name in named]
        alike += [(struct.__name__, each) for each in set(told) if told.count(each) > 1]
        for name, held in fields.items():
            told = [render(value_title(struct, name, word), language) for word in held.words]
            alike += [(struct.__name__, name, each) for each in set(told) if told.count(each) > 1]
    assert alike == []


def test_a_word_like_a_wire_name_is_noticed():
    """Negative control."""
    assert not readable(Term("cover_dice", context="field"))
    assert not readable(Term("cover dice", context="field"))
    assert not readable(Term("", context="field"))
    assert readable(Term("d12", context="value"))


@pytest.mark.parametrize("system", SYSTEM_VIEWS)
def test_commands_that_pages_single_out_are_commands_of_the_system(system):
    views, known = SYSTEM_VIEWS[system], {each for _, group in groups_of(system) for each in group}
    named = [f"{system}.{each}" for each in (*views.downtime, *views.tests, *views.contests)]
    assert [each for each in named if each not in known] == []


def test_the_words_that_a_field_can_hold_stand_in_the_order_in_which_the_rules_name_them():
    held = structs_of("overdrive")[CharacterSheetView]["stats"]
    assert held.words == get_args(Stat)
