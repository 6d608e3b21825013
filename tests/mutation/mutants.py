"""The mutants of a module: every small change of its source that a test ought to notice.

A mutant replaces one piece of the source, so that everything else stays as it is, to the line.
"""

import ast
from collections import Counter
from difflib import unified_diff

from msgspec import Struct

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list", "reversed": "list"}

WORDING = {"Rejection", "Forbidden", "Missing", "Stale", "TooOften", "say", "say_many", "term", "joined"}
"""What is said is no rule: the arguments of these calls stay as they are."""
RULE_MAX = 100
LOGS = {"log", "log_line", "_log"}

BUILT_IN_TYPES = {"str", "int", "float", "bool", "bytes", "list", "dict", "tuple", "set", "type", "object"}

ATOMS = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript, ast.List, ast.Dict, ast.Set)


class Mutant(Struct, frozen=True):
    """One change: `start` and `end` are offsets into the module's bytes, `instead` stands there in the mutant.

    `key` names it by its function and by what it changes into what, so it holds when lines move.
    """

    path: str
    scope: str
    line: int
    start: int
    end: int
    instead: str
    key: str = ""

    def applied(self, source: str) -> str:
        """The module's source with the change made."""
        raw = source.encode()
        return (raw[: self.start] + self.instead.encode() + raw[self.end :]).decode()

    def diff(self, source: str) -> str:
        """The change as a unified diff, without context."""
        lines = unified_diff(source.splitlines(), self.applied(source).splitlines(), lineterm="", n=0)
        return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


def mutants_of(path: str, source: str) -> list[Mutant]:
    """Every mutant of a module, in the order of its source."""
    found = _Finder(path, source)
    found.visit(ast.parse(source))
    seen: Counter[str] = Counter()
    named = []
    for each in sorted(found.mutants, key=lambda each: (each.start, each.end, each.instead)):
        was = " ".join(source.encode()[each.start : each.end].decode().split())
        key = f"{path} {each.scope}: {was} -> {each.instead}"
        seen[key] += 1
        nth = f" #{seen[key]}" if seen[key] > 1 else ""
        named.append(Mutant(path, each.scope, each.line, each.start, each.end, each.instead, key + nth))
    return named


class _Finder(ast.NodeVisitor):
    """Walks a module and collects mutants; `visit_…` says what is changed in that kind of node."""

    def __init__(self, path: str, source: str) -> None:
        self.mutants: list[Mutant] = []
        self._path = path
        self._scope: list[str] = []
        self._starts = [0]
        for line in source.encode().splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def _offset(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column

    def _put(self, node: ast.expr | ast.stmt, instead: ast.expr | str) -> None:
        text = instead if isinstance(instead, str) else ast.unparse(instead)
        if isinstance(instead, ast.expr) and not isinstance(instead, ATOMS):
            text = f"({text})"
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        self.mutants.append(
            Mutant(
                self._path,
                ".".join(self._scope) or "module",
                node.lineno,
                self._offset(node.lineno, node.col_offset),
                self._offset(node.end_lineno, node.end_col_offset),
                text,
            )
        )

    # --- where nothing is changed -------------------------------------------------------------------------

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._inside(node.name, node.body)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._scope.append(node.name)
        for default in [*node.args.defaults, *(each for each in node.args.kw_defaults if each is not None)]:
            self.visit(default)
        self._scope.pop()
        self._inside(node.name, node.body)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def _inside(self, name: str, body: list[ast.stmt]) -> None:
        self._scope.append(name)
        for statement in body:
            self.visit(statement)
        self._scope.pop()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if isinstance(node.target, ast.Attribute | ast.Subscript):
            self._put(node, "pass")
        if node.value is not None:
            self.visit(node.value)

    def visit_Assert(self, node: ast.Assert) -> None:
        """It states what holds anyway."""

    def visit_Import(self, node: ast.Import) -> None:
        """Nothing to change."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Text."""

    # --- statements ---------------------------------------------------------------------------------------

    def visit_Expr(self, node: ast.Expr) -> None:
        value = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(value, ast.Constant) or (isinstance(value, ast.Call) and _called(value.func) in LOGS):
            return
        if isinstance(value, ast.Call):
            self._put(node, "pass")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
            return
        if all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
            self._put(node, "pass")
        self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._put(node, "pass")
        self.visit(node.value)

    def visit_Delete(self, node: ast.Delete) -> None:
        self._put(node, "pass")

    def visit_Raise(self, node: ast.Raise) -> None:
        self._put(node, "pass")
        self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        self._put(node, "break")

    def visit_Break(self, node: ast.Break) -> None:
        self._put(node, "continue")

    def _condition(self, node: ast.expr) -> None:
        if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.NamedExpr):
            self._put(node, ast.UnaryOp(ast.Not(), node))

    def visit_If(self, node: ast.If) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    # --- expressions --------------------------------------------------------------------------------------

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._put(node, node.body)
        self._put(node, node.orelse)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for nth, operator in enumerate(node.ops):
            operators = [*node.ops]
            operators[nth] = COMPARISONS[type(operator)]()
            self._put(node, ast.Compare(node.left, operators, node.comparators))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._put(node, ast.BoolOp(other, node.values))
        for nth in range(len(node.values)):
            left = [value for place, value in enumerate(node.values) if place != nth]
            self._put(node, ast.BoolOp(node.op, left) if len(left) > 1 else left[0])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            self._put(node, node.operand)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in ARITHMETIC and not _is_type(node):
            self._put(node, ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._put(node, ast.Constant(not node.value))
        elif isinstance(node.value, int | float) and (self._scope or _is_rule(node.value)):
            self._put(node, ast.Constant(node.value + 1))

    def visit_Call(self, node: ast.Call) -> None:
        name = _called(node.func)
        if name in WORDING or name in LOGS:
            return
        if isinstance(node.func, ast.Name) and name in FUNCTIONS:
            self._put(node.func, FUNCTIONS[name])
        for nth, keyword in enumerate(node.keywords):
            if keyword.arg is not None:
                left = [each for place, each in enumerate(node.keywords) if place != nth]
                self._put(node, ast.Call(node.func, node.args, left))
        self.generic_visit(node)

    def visit_List(self, node: ast.List) -> None:
        if isinstance(node.ctx, ast.Load):
            for nth in range(len(node.elts)):
                self._put(node, ast.List([each for place, each in enumerate(node.elts) if place != nth], node.ctx))
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for condition in node.ifs:
            self._put(condition, ast.Constant(value=True))
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if not _is_type(node):
            self.generic_visit(node)


def _called(function: ast.expr) -> str:
    """The name that is called; for a method of a log, the log's."""
    if isinstance(function, ast.Attribute):
        owner = function.value
        if isinstance(owner, ast.Name | ast.Attribute) and _called(owner) in LOGS:
            return _called(owner)
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _is_rule(number: float) -> bool:
    """Whether a module's own number may be one of the rules: a size or a time may as well be one more."""
    return isinstance(number, int) and number <= RULE_MAX


def _is_type(node: ast.AST) -> bool:
    """Whether this looks like a type: everything in it is a name with a capital, or `None`."""
    owners = {id(each.value) for each in ast.walk(node) if isinstance(each, ast.Attribute)}
    names = [
        each.attr if isinstance(each, ast.Attribute) else each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute | ast.Name) and id(each) not in owners
    ]
    return bool(names) and all(
        name in BUILT_IN_TYPES or (name[0].isupper() and not name.isupper()) for name in names
    )
