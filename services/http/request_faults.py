"""All faults of a request that cannot be read, as its problem lists them."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import ClientException, ValidationException
from msgspec import UNSET
from msgspec import inspect as shapes

from domain.sentences import Sentence, in_a_row, say
from domain.shape_faults import Fault, allowed_for, faults_in
from services.errors import Malformed
from services.http.problems import FaultView, Misshapen, problem_response
from services.runtime.reader_language import told_to_reader

FAULTS_MAX = 50
"""More are not listed."""
TOLD_MAX = 5
"""So many are told in the sentence, too."""

BODY = "body"
"""Under which a request's state holds what was sent."""
PARAMETERS = "parameters"
"""Under which a route handler's `opt` has the parameters that its signature takes: `Parameter`s."""

NUMBER = re.compile(r"-?[0-9]{1,40}")
FLAGS = {"true": True, "1": True, "false": False, "0": False}


Found = tuple[FaultView, Sentence]
"""A fault, and what is wrong in words."""


class Parameter(msgspec.Struct, frozen=True):
    """A parameter of a query, or a header: its name there, and that of the argument that it becomes."""

    name: str
    argument: str
    is_header: bool
    required: bool


def plain(body: bytes) -> Any:
    """A body as plain JSON. Raises `Malformed`."""
    if not body:
        raise Malformed("The request has no body: send JSON.")
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as failure:
        raise Malformed(_not_json(failure)) from None


def of_body(body: bytes, kind: Any) -> Malformed:
    """Why a body cannot be read as a type."""
    try:
        return of_value(plain(body), kind)
    except Malformed as failure:
        return failure


def of_value(body: Any, kind: Any, place: str = "") -> Malformed:
    """Why plain JSON cannot be read as a type; `place` is its own JSON pointer in the body."""
    return _misshapen(_view_of(fault, pointer=f"{place}{fault.pointer}") for fault in faults_in(body, kind))


def of_request(request: Request[Any, Any, Any], failure: ClientException) -> Response[bytes]:
    """The problem of a request that Litestar cannot read; of one that it refuses for another reason, that."""
    if failure.status_code != 400 or "route_handler" not in request.scope:  # noqa: PLR2004 — such as a bad `Host`
        return problem_response(request, failure)
    parameter = request.route_handler.parsed_fn_signature.parameters.get("data")
    faults = list(islice(_faults_of_parameters(request), FAULTS_MAX))
    if faults or parameter is None:
        return problem_response(request, _misshapen(faults))
    return problem_response(request, of_body(request.scope["state"].get(BODY, b""), parameter.annotation))


def _of_bytes(request: Request[Any, Any, Any], failure: Exception) -> Response[bytes]:
    return problem_response(request, Malformed(_not_json(failure)))


HANDLERS: dict[type[Exception], Any] = {
    ClientException: of_request,
    ValidationException: of_request,
    UnicodeDecodeError: _of_bytes,
    RecursionError: _of_bytes,
}
"""Handlers that answer in place of Litestar's own words."""


def _not_json(failure: Exception) -> Sentence:
    """Why a body is not JSON at all, in words of our own."""
    if isinstance(failure, UnicodeDecodeError):
        return say("The body is not UTF-8.")
    if isinstance(failure, RecursionError):
        return say("The body is nested too deeply.")
    place = re.search(r"\(byte (\d+)\)", str(failure))
    return say("The body is not JSON: look near byte {n}.", n=place[1]) if place else say("The body is not JSON.")


def _faults_of_parameters(request: Request[Any, Any, Any]) -> Iterator[Found]:
    handler = request.route_handler
    taken_by: tuple[Any, ...] = (handler, *handler.resolve_dependencies().values())
    kinds = {name: kind for taker in taken_by for name, kind in taker.signature_model.__annotations__.items()}
    for parameter in handler.opt[PARAMETERS]:
        place = {"header" if parameter.is_header else "parameter": parameter.name}
        text = (request.headers if parameter.is_header else request.query_params).get(parameter.name)
        if text is not None:
            kind = kinds[parameter.argument]
            yield from (_view_of(fault, **place) for fault in faults_in(_number_or_flag(text, kind), kind))
        elif parameter.required:
            yield _view_of(Fault((), "missing", allowed_for(kinds[parameter.argument]), None), **place)


def _number_or_flag(text: str, kind: Any) -> Any:
    """The number or flag that a text stands for where one is wanted."""
    shape = shapes.type_info(kind)
    shape = shape.type if isinstance(shape, shapes.Metadata) else shape
    parts = shape.types if isinstance(shape, shapes.UnionType) else (shape,)
    if any(isinstance(part, shapes.IntType) for part in parts) and NUMBER.fullmatch(text):
        return int(text)
    if any(isinstance(part, shapes.BoolType) for part in parts):
        return FLAGS.get(text.lower(), text)
    return text


def _view_of(fault: Fault, **place: str) -> Found:
    content = UNSET if fault.sent_json is None else fault.sent_json
    return FaultView(fault.code, told_to_reader(fault.allowed), sent=content, **place), fault.problem


def _misshapen(faults: Iterable[Found]) -> Malformed:
    first_faults = list(islice(faults, FAULTS_MAX))
    if not first_faults:  # such as a field that came twice
        return Malformed("The request cannot be read.")
    sentences = [
        say("{place}: {problem}.", place=view.place, problem=sentence)
        for view, sentence in first_faults[:TOLD_MAX]
    ]
    if len(first_faults) > TOLD_MAX:
        sentences.append(say("That is not all: “errors” has {n}.", n=len(first_faults)))
    return Misshapen(in_a_row(sentences, " "), [view for view, _ in first_faults])
