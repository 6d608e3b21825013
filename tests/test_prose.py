"""Docstrings and comments use plain words: CONTRIBUTING.md says how they are written."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

ROOMS = ("domain", "fieldlog", "infra", "projections", "services")
"""The rooms whose prose is checked."""

AVOIDED = re.compile(r"\b(whoever|whosoever|somebody|nobody|anew|lets?\b[^.]*\bhappen(?:ed)?)\b", re.IGNORECASE)

PERHAPS_AVOIDED = re.compile("whoever|whosoever|somebody|nobody|anew|happen", re.IGNORECASE)
"""What a source holds, if any avoided words are in it: most hold none, and need not be taken apart."""


def prose(source: str) -> Iterator[tuple[int, str]]:
    """Every docstring and comment with the line it begins at; code in backquotes is left out."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], re.sub(r"`[^`]*`", "", token.string)
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.lineno, re.sub(r"`[^`]*`", "", node.value.value)


def avoided(source: str) -> list[tuple[int, str]]:
    """The avoided words in a source's prose, each with the line its text begins at."""
    if not PERHAPS_AVOIDED.search(source):
        return []
    return [(line, word) for line, text in prose(source) for word in AVOIDED.findall(text)]


@pytest.mark.parametrize("room", ROOMS)
def test_docstrings_and_comments_name_who_they_mean(room):
    found = {
        str(path.relative_to(ROOT)): words
        for path in sorted((ROOT / room).rglob("*.py"))
        if (words := avoided(path.read_text("utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("source", "line", "word"),
    [
        ('"""Tells whoever asked."""\n', 1, "whoever"),
        ("def read():\n    '''What\n    nobody reads.'''\n", 2, "nobody"),
        ('LIMIT = 3\n"""Folded anew."""\n', 2, "anew"),
        ("import re\n\nre.compile('')  # Somebody needs it\n", 3, "Somebody"),
        ('"""Let an event have happened."""\n', 1, "Let an event have happened"),
    ],
)
def test_an_avoided_word_in_prose_is_noticed(source, line, word):
    """Negative control."""
    assert avoided(source) == [(line, word)]


@pytest.mark.parametrize(
    "source",
    [
        'told = say("Somebody is hit")\n',
        "def read(anew: bool) -> None:\n    '''`anew`: once more.'''\n",
        "nobody = 1\n",
    ],
)
def test_texts_for_players_and_names_in_the_code_are_free(source):
    assert avoided(source) == []
