"""What the source says of each rule of a rulebook: the docstrings and refusals that name its id."""

import ast
import inspect
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from domain.systems import SYSTEMS
from tests.reference.refusals import ROOT, refusals

ID = re.compile(r"\b[A-Z]{2}-[A-Z]?\d+[a-z]?\b")
TOLD_MAX = 4
"""Docstrings shown of a rule that none carries as its own."""


class Rule(NamedTuple):
    """A rule with what docstrings say of it, and the codes that refuse in its name."""

    rule: str
    told: list[str]
    codes: list[str]


class Docstring(NamedTuple):
    where: str
    text: str


def rules_of(system: str) -> list[Rule]:
    """The rules of a system by number; first those of the rulebook, then its rulings."""
    said: dict[str, list[Docstring]] = defaultdict(list)
    for each in docstrings(system):
        for rule in dict.fromkeys(ID.findall(each.text)):
            said[rule].append(each)
    codes: dict[str, set[str]] = defaultdict(set)
    for refusal in refusals():
        if refusal.path.startswith((f"domain/systems/{system}/", "domain/mechanics/")):
            for rule in ID.findall(refusal.rule):
                codes[rule].add(refusal.code)
    found = {*said, *codes}
    own = max((rule[:2] for rule in found), key=[rule[:2] for rule in found].count)
    return [
        Rule(rule, _told(rule, said[rule]), sorted(codes[rule]))
        for rule in sorted((each for each in found if each[:2] == own), key=_order)
    ]


def docstrings(system: str) -> Iterator[Docstring]:
    """The first paragraph of every docstring of a system's rules, with its name."""
    for path in sorted((ROOT / "domain" / "systems" / system).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (text := ast.get_docstring(node)):
                where = path.stem if isinstance(node, ast.Module) else f"{path.stem}.{node.name}"
                yield Docstring(where, " ".join(inspect.cleandoc(text).partition("\n\n")[0].split()))


def _told(rule: str, said: list[Docstring]) -> list[str]:
    """The words of those that carry the rule as their own, else of the first that name it."""
    own = [each for each in said if re.match(rf"[A-Z\d, -]*{rule}\b[^.:]*:", each.text)]
    return [f"{each.text} (`{each.where}`)" for each in own or said[:TOLD_MAX]]


def _order(rule: str) -> tuple[str, int, str]:
    kind, number, rest = re.fullmatch(r"[A-Z]{2}-([A-Z]?)(\d+)(\w?)", rule).groups()  # type: ignore[union-attr]
    return kind, int(number), rest


def titles() -> dict[str, str]:
    """What the systems are called, by id."""
    return {str(system.id): system.title for system in SYSTEMS.values()}
