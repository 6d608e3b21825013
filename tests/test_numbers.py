"""A number that may be 0 gives way to nothing else: `price or UNSET` would forget that 0 was said."""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.root import ROOT

NUMBERS = frozenset({"int", "float", "Amount", "Count", "Cost", "NotNegative", "Points"})
"""What the types of numbers are called that may be 0."""


def number_fields(paths: Sequence[Path]) -> frozenset[str]:
    """The names of fields that are numbers, and of no field that is something else besides."""
    numbers, others = set[str](), set[str]()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for field in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    (numbers if _is_number(field.annotation) else others).add(field.target.id)
    return frozenset(numbers - others)


def _is_number(annotation: ast.expr) -> bool:
    """Whether one of the types between bars is a number."""
    if isinstance(annotation, ast.BinOp):
        return _is_number(annotation.left) or _is_number(annotation.right)
    return isinstance(annotation, ast.Name) and annotation.id in NUMBERS


def numbers_replaced(path: Path, fields: frozenset[str]) -> list[str]:
    """Each `or` after such a field, but for `or 0` and questions, where 0 and nothing come to the same."""
    tree = ast.parse(path.read_text("utf-8"))
    asked = set(_questions(tree))
    return [
        f"{path.name}:{node.lineno} {ast.unparse(node)}"
        for node in ast.walk(tree)
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and node not in asked
        for number, instead in zip(node.values, node.values[1:], strict=False)
        if isinstance(number, ast.Attribute) and number.attr in fields
        if not (isinstance(instead, ast.Constant) and instead.value == 0)
    ]


def _questions(tree: ast.AST) -> Iterator[ast.expr]:
    """The parts of a file that are only asked for true or false."""
    for node in ast.walk(tree):
        asked: list[ast.expr] = []
        if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert):
            asked = [node.test]
        elif isinstance(node, ast.comprehension):
            asked = node.ifs
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            asked = [node.operand]
        while asked:
            part = asked.pop()
            yield part
            if isinstance(part, ast.BoolOp):
                asked += part.values


def test_no_number_of_the_rules_or_of_what_is_shown_gives_way_where_it_is_0():
    for room in ("domain", "projections"):
        paths = sorted((ROOT / room).rglob("*.py"))
        fields = number_fields(paths)
        assert {"price_due", "pm", "life_experience"} & fields, "the fields are found"
        assert [each for path in paths for each in numbers_replaced(path, fields)] == []


def test_a_number_that_gives_way_is_noticed(tmp_path):
    path = tmp_path / "frames.py"
    path.write_text(
        "class Frame:\n"
        "    name: str\n"
        "    price: int | None\n"
        "def told(frame):\n"
        "    if frame.price or frame.name:\n"
        "        return frame.price or 0\n"
        "    return frame.price or frame.name or UNSET\n"
    )
    assert number_fields([path]) == {"price"}
    assert numbers_replaced(path, number_fields([path])) == ["frames.py:7 frame.price or frame.name or UNSET"]
