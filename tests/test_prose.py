"""Docstrings, comments and documents use plain words: CONTRIBUTING.md says how they are written."""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

ROOMS = ("domain", "fieldlog", "infra", "projections", "services")
"""The rooms whose prose is checked."""

AVOIDED = re.compile(r"\b(whoever|whosoever|somebody|nobody|anew|lets?\b[^.]*\bhappen(?:ed)?)\b", re.IGNORECASE)

PERHAPS_AVOIDED = re.compile("whoever|whosoever|somebody|nobody|anew|happen", re.IGNORECASE)
"""Text of a source, if any avoided words are in it: most hold none, and need not be taken apart."""


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


BARE_SUBJECTS_MAX = {"domain": 0, "projections": 0, "services": 0, "infra": 0, "fieldlog": 0, "documents": 1}
"""So many sentences may begin with a bare clause ("What was loaded", "Who asks"); it only goes down."""

WRITTEN_BY_TESTS = re.compile(r"docs/(rules/|reference/(errors|settings|metrics)\.md)")
"""Documents that `python -m tests.reference` makes from the source, where their sentences are counted."""

BARE_SUBJECT = re.compile(
    r"(?:^|[.:;!?\u2013\u2014]\s+|\()(?:(?:and|but|or)\s+)?((?:who|what|whom|whose|whoever|whatever)\b[^.:;?|]*)(?:[.:;]|$)",
    re.IGNORECASE,
)
"""A clause that stands in place of a noun, where a sentence or a part of one begins; no question."""

PERHAPS_BARE = re.compile(
    r"(?:[.:;!?(\u2013\u2014\"'`#*|-]|\n)\s*(?:#\s*)?(?:(?:and|but|or)\s+)?wh(?:o|at)", re.IGNORECASE
)
"""Text of a source, if such a clause is in it: others need not be taken apart."""

PARAGRAPH_ENDS = re.compile(r"\n\s*\n|\n(?=\s*[-*|] ?)|\n(?=\s*[0-9]+\. )")


def texts(source: str) -> Iterator[str]:
    """Every docstring of a source, and its comments, of which those on lines that follow each other are one."""
    lines: list[str] = []
    last = 0, 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if token.start != (last[0] + 1, last[1]):
                yield " ".join(lines)
                lines = []
            lines.append(token.string.lstrip("# "))
            last = token.start
    yield " ".join(lines)
    yield from (text for _, text in prose(source) if not text.startswith("#"))


def bare_subjects(text: str) -> list[str]:
    """The clauses of a text that stand in place of a noun; code is left out."""
    without_code = re.sub(r"(?ms)^```.*?^```|`[^`]*`", "", text)
    paragraphs = (re.sub(r"^[-*|]\s*", "", part.strip()) for part in PARAGRAPH_ENDS.split(without_code))
    return [clause for part in paragraphs for clause in BARE_SUBJECT.findall(" ".join(part.split()))]


def texts_of(place: str) -> Iterable[str]:
    """All prose of a room, or that of all documents which are written by hand."""
    if place != "documents":
        sources = (path.read_text("utf-8") for path in sorted((ROOT / place).rglob("*.py")))
        return (text for source in sources if PERHAPS_BARE.search(source) for text in texts(source))
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return (page.read_text("utf-8") for page in pages if not WRITTEN_BY_TESTS.match(str(page.relative_to(ROOT))))


@pytest.mark.parametrize("place", BARE_SUBJECTS_MAX)
def test_sentences_have_a_noun_for_their_subject(place):
    clauses = [clause for text in texts_of(place) for clause in bare_subjects(text)]
    assert len(clauses) <= BARE_SUBJECTS_MAX[place], clauses


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("What was loaded: the campaigns.", ["What was loaded"]),
        ("Kept for a day; who owes too much\nis told 429.", ["who owes too much is told 429"]),
        ("`/privacy`: what is kept.", ["what is kept"]),
        ("- One thing.\n- Whoever asks", ["Whoever asks"]),
    ],
)
def test_a_bare_clause_as_a_subject_is_noticed(text, clauses):
    """Negative control."""
    assert bare_subjects(text) == clauses


def test_comments_on_lines_that_follow_each_other_are_one_text():
    source = "x = 1  # Tells\n# A member reads\n# what they may.\n# Who asks\n"
    assert [clause for text in texts(source) for clause in bare_subjects(text)] == ["Who asks"]


@pytest.mark.parametrize(
    "text",
    ["What may I do now?", "Says who asks, and what was asked.", "```\nWhat: code\n```", "`What` is a name."],
)
def test_questions_objects_and_code_are_free(text):
    assert bare_subjects(text) == []


FIELDS_IN_PARAGRAPHS_MAX = {"domain": 51, "projections": 33, "services": 20, "infra": 0, "fieldlog": 1}
"""So many docstrings of classes may explain three fields or more; it only goes down.

A line below each field does it better, but for commands, events and views of the API: its document prints the
docstrings of their classes, and has no place for those of fields.
"""


def fields_of(node: ast.ClassDef) -> set[str]:
    """The fields that a class declares, or sets in a method."""
    names = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name):
            names.add(inner.target.id)
        elif isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store):
            names.add(inner.attr)
    return names


def paragraphs_about_fields(source: str) -> list[str]:
    """The classes whose docstring names three of their own fields or more in backquotes."""
    if "class " not in source or len(re.findall(r"`\w+`", source)) < 3:
        return []
    classes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)]
    return [
        node.name
        for node in classes
        if len(set(re.findall(r"`(\w+)`", ast.get_docstring(node) or "")) & fields_of(node)) >= 3
    ]


@pytest.mark.parametrize("room", FIELDS_IN_PARAGRAPHS_MAX)
def test_fields_are_explained_below_each(room):
    sources = sorted((ROOT / room).rglob("*.py"))
    classes = [name for path in sources for name in paragraphs_about_fields(path.read_text("utf-8"))]
    assert len(classes) <= FIELDS_IN_PARAGRAPHS_MAX[room], classes


@pytest.mark.parametrize(
    ("source", "classes"),
    [
        (
            'class Span:\n    """`begin`, `end`, `text`."""\n    begin: int\n    end: int\n    text: str\n',
            ["Span"],
        ),
        ('class Span:\n    """From `begin` to `end`."""\n    begin: int\n    end: int\n    text: str\n', []),
        (
            'class Span:\n    """Takes `a`, `b`: `c`."""\n    def __init__(self, a, b):\n        self.c = a, b\n',
            [],
        ),
    ],
)
def test_a_paragraph_about_three_fields_is_noticed(source, classes):
    """Negative control, and paragraphs about two fields, and about parameters."""
    assert paragraphs_about_fields(source) == classes
