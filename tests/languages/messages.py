"""What the code can say, room by room, and what the catalogues make of it."""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from string import Formatter
from typing import NamedTuple, get_args

from babel.messages import Catalog
from babel.messages.pofile import read_po
from jinja2 import Environment, nodes

from domain.field_help import field_help
from domain.sentences import Number, Part, Plural, Sentence, Series, Term, term
from projections.languages import TERM
from projections.titles import structs_of
from services.http.screen.shared import templates
from tests.room_words import words_of
from tests.root import ROOT

SYSTEMS = {folder.name for folder in (ROOT / "domain" / "systems").iterdir() if (folder / "decide.py").exists()}
CAMPAIGN = "campaign"
WEB = "web"
PLAYED = (CAMPAIGN, *sorted(SYSTEMS))
"""The rooms that have commands, sheets and settings."""
TRANSLATED = (*PLAYED, WEB)
"""The rooms that speak other languages: everything they say must be in their catalogues."""

CATALOGUES = ROOT / "projections" / "languages"
LANGUAGES = tuple(folder.name for folder in CATALOGUES.iterdir() if any(folder.glob("*.po")))

SPOKEN = {"say": slice(1), "say_many": slice(2)}
"""Functions that say their first arguments."""

REFUSED = dict.fromkeys(
    ("Rejection", "Forbidden", "Missing", "Stale", "BadQuery", "RateLimitExceeded"), slice(1, 2)
) | dict.fromkeys(("Malformed", "NotJson", "NotSignedIn"), slice(1))
"""Where a sentence without parts may stand as it is."""


class Message(NamedTuple):
    """What a catalogue finds a translation by."""

    text: str
    many: str = ""
    context: str = ""

    @property
    def parts(self) -> set[str]:
        """The names of its parts."""
        return placeholders(self.text) | placeholders(self.many)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def room_of(path: Path) -> str:
    """The rule system that a file belongs to, or `web`, or `campaign`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[:3] == ("services", "http", "screen"):
        return WEB
    own = [system for system in SYSTEMS for part in parts if part == system or part.startswith(f"{system}_")]
    return own[0] if own else CAMPAIGN


@cache
def files_of(room: str) -> list[Path]:
    found = sorted(path for part in ("domain", "projections", "services") for path in (ROOT / part).rglob("*.py"))
    return [path for path in found if room_of(path) == room and path.stem != "sentences"]


def templates_of(room: str) -> list[Path]:
    return templates.template_files() if room == WEB else []


@cache
def said_in_template(source: str) -> set[Message]:
    """The sentences of a template. Raises `ValueError` where one is put together too early."""
    found = set()
    for call in Environment(autoescape=True).parse(source).find_all(nodes.Call):
        said = {"say": 1, "say_many": 2}.get(getattr(call.node, "name", ""), 0)
        texts = [each.value for each in call.args[:said] if isinstance(each, nodes.Const)]
        if len(texts) < said:
            raise ValueError(f"line {call.lineno}")
        if said:
            found.add(Message(*texts))
    return found


@cache
def said_in(source: bytes) -> set[Message]:
    """The sentences of a file, and the words that it names as terms."""
    found = set()
    spoken = REFUSED | (SPOKEN if b"domain.sentences" in source else {})
    for node in _calls(source):  # wherever it stands, also as a part of another sentence
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        texts = [_text(each) for each in node.args[spoken.get(called, slice(0))]]
        if texts and all(texts):
            found.add(Message(*texts))
        if called == "term" and node.args and (word := _text(node.args[0])):
            found.add(Message(str(term(word)), context=TERM))
    return found


@cache
def _calls(source: bytes) -> list[ast.Call]:
    """The calls of a file that may say something; nothing else of its tree is kept."""
    heard = {*REFUSED, *SPOKEN, "term"}
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return [each for each in calls if getattr(each.func, "attr", getattr(each.func, "id", "")) in heard]


def _text(node: ast.expr) -> str:
    """A text that stands in the code as it is; nothing if it is put together."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def terms_of(room: str) -> set[Message]:
    """Every word of the enumerations and collections that a room's narrator says by `term`."""
    folder = "projections.campaign_words" if room == CAMPAIGN else f"projections.systems.{room}"
    kinds = getattr(import_module(f"{folder}.narration"), "TERMS", ())
    return {Message(str(term(word)), context=TERM) for kind in kinds for word in get_args(kind) or kind}


@cache
def words_of_rooms() -> dict[str, set[Message]]:
    """What each room calls its commands, fields and values; what several rooms call so is the campaign's.

    What a setting can be set to is said in a file.
    """
    words = {
        room: {Message(word.message, context=word.context) for word in words_of(room) if isinstance(word, Term)}
        for room in PLAYED
    }
    told = Counter(word for room in words.values() for word in room)
    words[CAMPAIGN] |= {word for word, rooms in told.items() if rooms > 1}
    return {CAMPAIGN: words[CAMPAIGN]} | {
        room: own - words[CAMPAIGN] for room, own in words.items() if room != CAMPAIGN
    }


def helped_by(room: str) -> set[Message]:
    """What the settings of a room and the fields of its commands are for, as people read it."""
    told = (field_help(struct, name) for struct, fields in structs_of(room).items() for name in fields)
    return {Message(each) for each in told if each}


def said_by(room: str) -> set[Message]:
    """Everything that a room can say."""
    found = terms_of(room) | words_of_rooms()[room] | helped_by(room) if room in PLAYED else set()
    for path in templates_of(room):
        found |= said_in_template(path.read_text("utf-8"))
    for path in files_of(room):
        found |= said_in(path.read_bytes())
    return found


def unreadable(source: bytes) -> Iterator[int]:
    """Lines on which something is said that no catalogue can hold, because it is put together too early."""
    for node in _calls(source):
        if not isinstance(node.func, ast.Name):
            continue
        refused = node.args[REFUSED.get(node.func.id, slice(0))]
        if any(isinstance(each, ast.JoinedStr | ast.BinOp) for each in refused):
            yield node.lineno
        said = {"say": 1, "say_many": 2}.get(node.func.id, 0) if b"domain.sentences" in source else 0
        if any(not (isinstance(each, ast.Constant) and isinstance(each.value, str)) for each in node.args[:said]):
            yield node.lineno


def catalogue_path(language: str, room: str) -> Path:
    return CATALOGUES / language / f"{room}.po"


def catalogue(language: str, room: str) -> Catalog:
    with catalogue_path(language, room).open("rb") as source:
        return read_po(source, locale=language, abort_invalid=True)


@cache
def translations(language: str, room: str) -> dict[Message, tuple[str, ...]]:
    """A catalogue as a table."""
    found = {}
    for entry in catalogue(language, room):
        if entry.id:
            one, many = (entry.id, "") if isinstance(entry.id, str) else entry.id
            into = entry.string if isinstance(entry.string, list | tuple) else (entry.string,)
            found[Message(one, many, entry.context or "")] = tuple(map(str, into))
    return found


def unheard(said: str | Sentence, table: Mapping[Message, object]) -> set[Message]:
    """Which messages of a sentence that was really said are not in a table."""
    match said:
        case "" | Number():
            return set()
        case str():
            return {Message(said)} - table.keys()
        case Series():
            inner: Iterable[Part] = said.pieces
            own = set()
        case Term():
            inner, own = (), {Message(said.message, context=said.context)}
        case Plural():
            inner, own = said.parts.values(), {Message(said.message, said.many)}
        case _:
            inner, own = said.parts.values(), {Message(said.message)}
    deeper = (unheard(each, table) for each in inner if isinstance(each, Sentence))
    return (own - table.keys()).union(*deeper)


def faults(language: str, room: str, said: set[Message]) -> list[str]:
    """What is missing, left over or different in a catalogue, in words."""
    table = translations(language, room)
    wrong = [f"{room}: not in {language}: {each.text!r}" for each in said - table.keys()]
    wrong += [f"{room}: nobody says {each.text!r}" for each in table.keys() - said]
    for message, into in table.items():
        if not all(into) or any(not placeholders(text) <= message.parts for text in into):
            wrong.append(f"{room}: {message.text!r} is empty or has other parts: {into!r}")
        elif placeholders(into[-1]) != message.parts:
            wrong.append(f"{room}: {message.text!r} loses parts: {into[-1]!r}")
    return sorted(wrong)
