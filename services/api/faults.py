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
from services.api.problems import FaultView, Malformed, Misshapen, problem_response
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


def of_value(sent: Any, kind: Any, place: str = "") -> Malformed:
    """Why plain JSON cannot be read as a type; `place` is its own JSON pointer in the body."""
    return _misshapen(_found(fault, pointer=f"{place}{fault.pointer}") for fault in faults_in(sent, kind))


def of_request(request: Request[Any, Any, Any], failure: ClientException) -> Response[bytes]:
    """The problem of a request that Litestar cannot read; of one that it refuses for another reason, that."""
    if failure.status_code != 400 or "route_handler" not in request.scope:  # noqa: PLR2004 — such as a bad `Host`
        return problem_response(request, failure)
    wanted = request.route_handler.parsed_fn_signature.parameters.get("data")
    found = list(islice(_faults_of_parameters(request), FAULTS_MAX))
    if found or wanted is None:
        return problem_response(request, _misshapen(found))
    return problem_response(request, of_body(request.scope["state"].get(BODY, b""), wanted.annotation))


def _of_bytes(request: Request[Any, Any, Any], failure: Exception) -> Response[bytes]:
    return problem_response(request, Malformed(_not_json(failure)))


HANDLERS: dict[type[Exception], Any] = {
    ClientException: of_request,
    ValidationException: of_request,
    UnicodeDecodeError: _of_bytes,
    RecursionError: _of_bytes,
}
"""What the application does in the place of Litestar's own words."""


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
    kinds = {name: kind for each in taken_by for name, kind in each.signature_model.__annotations__.items()}
    for each in handler.opt[PARAMETERS]:
        place = {"header" if each.is_header else "parameter": each.name}
        said = (request.headers if each.is_header else request.query_params).get(each.name)
        if said is not None:
            kind = kinds[each.argument]
            yield from (_found(fault, **place) for fault in faults_in(_meant(said, kind), kind))
        elif each.required:
            yield _found(Fault((), "missing", allowed_for(kinds[each.argument]), None), **place)


def _meant(said: str, kind: Any) -> Any:
    """The number or flag that a text stands for where one is wanted."""
    wanted = shapes.type_info(kind)
    wanted = wanted.type if isinstance(wanted, shapes.Metadata) else wanted
    parts = wanted.types if isinstance(wanted, shapes.UnionType) else (wanted,)
    if any(isinstance(part, shapes.IntType) for part in parts) and NUMBER.fullmatch(said):
        return int(said)
    if any(isinstance(part, shapes.BoolType) for part in parts):
        return FLAGS.get(said.lower(), said)
    return said


def _found(fault: Fault, **place: str) -> Found:
    sent = UNSET if fault.sent is None else fault.sent
    return FaultView(fault.code, told_to_reader(fault.allowed), sent=sent, **place), fault.said


def _misshapen(faults: Iterable[Found]) -> Malformed:
    found = list(islice(faults, FAULTS_MAX))
    if not found:  # such as a field that came twice
        return Malformed("The request cannot be read.")
    told = [say("{place}: {problem}.", place=view.place, problem=said) for view, said in found[:TOLD_MAX]]
    if len(found) > TOLD_MAX:
        told.append(say("That is not all: “errors” has {n}.", n=len(found)))
    return Misshapen(in_a_row(told, " "), [view for view, _ in found])
