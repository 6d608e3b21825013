"""Every refusal that the source can make: its code, status, sentences and rules, read from the calls that make it.

Where code, sentence or rule are parameters of the function around the call, the calls of that function say them.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from domain.rejection import Forbidden, Missing, Rejection, Stale
from services.http.problems import CODE_BY_STATUS, STATUS_BY_KIND, TITLE_BY_STATUS
from services.runtime.readiness import DETAILS

ROOT = Path(__file__).parents[2]
ROOMS = ("domain", "projections", "infra", "services")
KINDS = (Rejection, Forbidden, Missing, Stale)
STATUS = {kind.__name__: status for kind, status in STATUS_BY_KIND} | {"RateLimitExceeded": 429, "BadQuery": 400}
"""The status of what is raised."""
ANSWERS = ("problem", "_refuse")
"""Functions of `services/http` that answer by themselves: a status, then the code, then the sentence."""
FIELDS = ("code", "message", "rule")
DEPTH_MAX = 4

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Refusal(NamedTuple):
    """One way to be refused. An empty sentence is made elsewhere; `rule` is empty where no rulebook refuses."""

    code: str
    status: int
    sentence: str
    rule: str
    path: str


LEAVES = (ast.Name, ast.Constant, ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop, ast.alias)
"""More than half of all nodes, and nothing that is looked for is one of them or within one."""


class Expression(NamedTuple):
    """An expression with the function that it stands in, if any, and the module of both."""

    node: ast.expr | None
    function: Function | None
    module: Path


class Call(NamedTuple):
    node: ast.Call
    function: Function | None
    module: Path


class Source:
    """All modules of the product, with every call by the name of what is called.

    `owner` is the class that a function stands in, `kinds` the classes that are a refusal of their own.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self.calls: dict[str, list[Call]] = defaultdict(list)
        self.owner: dict[Function, str] = {}
        self.kinds: set[str] = set()
        self._functions: dict[tuple[Path, str], Function] = {}
        self._constants: dict[tuple[Path, str], ast.expr] = {}
        self._imported: dict[tuple[Path, str], tuple[Path, str]] = {}
        for path in paths:
            self._walk(ast.parse(path.read_text("utf-8")), None, "", path)

    def _walk(self, node: ast.AST, function: Function | None, owner: str, path: Path) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, LEAVES):
                continue
            within = function
            if isinstance(child, ast.Call) and (name := _name(child.func)):
                self.calls[name].append(Call(child, function, path))
            if isinstance(child, Function):
                within = child
                self.owner[child] = owner
                self._functions[path, child.name] = child
            if isinstance(child, ast.ImportFrom) and child.module is not None:
                place = ROOT.joinpath(*child.module.split("."))
                file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
                self._imported |= {(path, each.asname or each.name): (file, each.name) for each in child.names}
            if isinstance(child, ast.ClassDef) and {_name(base) for base in child.bases} & STATUS.keys():
                self.kinds.add(child.name)
            if isinstance(child, ast.Assign) and function is None and isinstance(child.targets[0], ast.Name):
                self._constants[path, child.targets[0].id] = child.value
            self._walk(child, within, child.name if isinstance(child, ast.ClassDef) else owner, path)

    def calls_of(self, function: Function, module: Path) -> list[Call]:
        """Where a function is called; the constructor's class where it is one."""
        name = self.owner[function] if function.name == "__init__" else function.name
        return [each for each in self.calls[name] if not name.startswith("_") or each.module == module]

    def function(self, module: Path, name: str) -> Function | None:
        """The function that a module knows by a name."""
        return self._functions.get(self._imported.get((module, name), (module, name)))

    def constant(self, module: Path, name: str) -> ast.expr | None:
        """What a name that a module knows is set to."""
        return self._constants.get(self._imported.get((module, name), (module, name)))


@cache
def refusals() -> list[Refusal]:
    """All of them, by code."""
    source = _source()
    found = {*_protocol(source)}
    for kind in (*STATUS, "super"):
        for call in source.calls["__init__" if kind == "super" else kind]:
            status = STATUS.get(kind, 422)
            if kind == "super" and not _is_refusal_of_its_own(source, call):
                continue
            found |= {*_made(source, call, status)}
    told = {each.code for each in found if each.sentence}
    return sorted(each for each in found if _is_code(each.code) and (each.sentence or each.code not in told))


@cache
def _source() -> Source:
    return Source(sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py")))


def _is_refusal_of_its_own(source: Source, call: Call) -> bool:
    return call.function is not None and source.owner.get(call.function, "") in source.kinds


def _made(source: Source, call: Call, status: int) -> Iterator[Refusal]:
    named = {each.arg: each.value for each in call.node.keywords}
    given = named | dict(zip(FIELDS[:2], call.node.args, strict=False))
    said = {field: _meant(Expression(given.get(field), call.function, call.module)) for field in FIELDS}
    for code, sentences, rules in _expanded(source, *said.values(), DEPTH_MAX):
        for sentence in sentences or [""]:
            for rule in rules or [""]:
                yield Refusal(code, status, sentence, rule, str(call.module.relative_to(ROOT)))


@cache
def _expanded(
    source: Source, code: Expression, message: Expression, rule: Expression, depth: int
) -> frozenset[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """The codes, each with its sentences and rules, once for every call of the function around it."""
    function = code.function or message.function or rule.function
    asked = [
        each.node.id if isinstance(each.node, ast.Name) and _is_parameter(each) else ""
        for each in (code, message, rule)
    ]
    calls = source.calls_of(function, code.module) if function is not None and any(asked) and depth else []
    if function is None or not calls:
        sentences, rules = tuple(_texts(source, message)), tuple(_texts(source, rule))
        return frozenset((each, sentences, rules) for each in _texts(source, code))
    found: set[tuple[str, tuple[str, ...], tuple[str, ...]]] = set()
    for call in calls:
        bound = _bound(function, call, source)
        given = [
            bound.get(name, Expression(None, None, each.module)) if name else each
            for name, each in zip(asked, (code, message, rule), strict=True)
        ]
        found |= _expanded(source, *given, depth - 1)
    return frozenset(found)


def _meant(said: Expression) -> Expression:
    """The parameter that a name stands for where it is set to that, or else to what that gives."""
    assigned = _assigned(said.function, said.node.id) if said.function and isinstance(said.node, ast.Name) else []
    parameters = [
        each.body
        for each in assigned
        if isinstance(each, ast.IfExp) and _is_parameter(said._replace(node=each.body))
    ]
    return said._replace(node=parameters[0]) if parameters else said


def _is_parameter(said: Expression) -> bool:
    return (
        isinstance(said.node, ast.Name)
        and said.function is not None
        and said.node.id in _parameters(said.function)
    )


def _parameters(function: Function) -> list[str]:
    every = function.args
    return [each.arg for each in (*every.posonlyargs, *every.args, *every.kwonlyargs)]


def _bound(function: Function, call: Call, source: Source) -> dict[str, Expression]:
    """What a call says for each parameter, or what is said for it by default."""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    defaults: dict[str, ast.expr] = dict(zip(reversed(names), reversed(function.args.defaults), strict=False))
    defaults |= {
        each.arg: value
        for each, value in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
        if value is not None
    }
    if source.owner.get(function) and names[:1] == ["self"]:
        names = names[1:]
    given = dict(zip(names, call.node.args, strict=False)) | {
        each.arg: each.value for each in call.node.keywords if each.arg is not None
    }
    return {name: Expression(node, None, call.module) for name, node in defaults.items()} | {
        name: Expression(node, call.function, call.module) for name, node in given.items()
    }


def _texts(source: Source, said: Expression, depth: int = DEPTH_MAX) -> list[str]:
    """What an expression may say: a text, a sentence, a choice of these, or what a name stands for."""
    match said.node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            return ["".join(str(each.value) if isinstance(each, ast.Constant) else "…" for each in parts)]
        case ast.Call(
            func=ast.Name(id="say" | "render" | "str") | ast.Attribute(attr="text_of"), args=[first, *_]
        ):
            return _texts(source, said._replace(node=first), depth)
        case ast.Call(func=ast.Name(id="say_many"), args=[_, many, *_]):
            return _texts(source, said._replace(node=many), depth)
        case _:
            meant = _alternatives(source, said) if depth else []
            return [text for each in meant for text in _texts(source, each, depth - 1)]


def _alternatives(source: Source, said: Expression) -> list[Expression]:
    """The expressions that one may stand for."""
    nodes: list[ast.expr] = []
    match said.node:
        case ast.Name() if _is_parameter(said):
            pass  # only who calls the function knows
        case ast.IfExp(body=one, orelse=other) | ast.BinOp(left=one, op=ast.Add(), right=other):
            nodes = [one, other]
        case ast.BoolOp(values=values) | ast.Subscript(value=ast.Dict(values=values)):
            nodes = values
        case ast.Lambda(body=body):
            nodes = [body]
        case ast.Subscript(value=ast.Name(id=name)):
            table = source.constant(said.module, name)
            nodes = table.values if isinstance(table, ast.Dict) else []
        case ast.Name(id=name) if said.function is not None and (found := _assigned(said.function, name)):
            nodes = found
        case ast.Name(id=name) if (constant := source.constant(said.module, name)) is not None:
            nodes = [constant]
        case ast.Name(id=name) | ast.Call(func=ast.Name(id=name)):
            function = source.function(said.module, name)
            returned = [] if function is None else _returned(function)
            return [Expression(each, function, said.module) for each in returned]
    return [said._replace(node=each) for each in nodes]


def _returned(function: Function) -> list[ast.expr]:
    return [each.value for each in ast.walk(function) if isinstance(each, ast.Return) and each.value is not None]


def _assigned(function: Function, name: str) -> list[ast.expr]:
    """What a name is set to within a function, alone or among others."""
    return _assignments(function).get(name, [])


@cache
def _assignments(function: Function) -> dict[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = defaultdict(list)
    for each in ast.walk(function):
        pairs: list[tuple[ast.expr, ast.expr | None]] = []
        match each:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                pairs = [*zip(names, values, strict=False)]
            case ast.Assign(targets=targets, value=value):
                pairs = [(target, value) for target in targets]
            case ast.AnnAssign(target=target, value=value):
                pairs = [(target, value)]
        for one, value in pairs:
            if isinstance(one, ast.Name) and value is not None:
                found[one.id].append(value)
    return found


def _protocol(source: Source) -> Iterator[Refusal]:
    """What HTTP is answered with where no rule was asked."""
    for status, code in CODE_BY_STATUS.items():
        yield Refusal(code, status, f"{TITLE_BY_STATUS.get(status, 'The request was refused')}.", "", "")
    for code, sentence in DETAILS.items():
        yield Refusal(code, 503, str(sentence), "", "")
    for name in ANSWERS:
        for call in source.calls[name]:
            match call.node.args:
                case [ast.Constant(value=int(status)), ast.Constant(value=str(code)), *rest]:
                    said = Expression(rest[0] if rest else None, call.function, call.module)
                    for text in _texts(source, said) or [""]:
                        yield Refusal(code, status, text, "", str(call.module.relative_to(ROOT)))


def _name(called: ast.expr) -> str:
    return called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""


def _is_code(code: str) -> bool:
    return bool(code) and code.replace("…", "x").isidentifier() and code == code.lower()
