"""Reads sheets of other campaigns, and refuses those that a system cannot import."""

from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

import msgspec

from domain.command_context import CommandContext
from domain.one_line import on_one_line
from domain.rejection import Rejection
from domain.sentences import Sentence, say
from domain.shape_faults import first_fault, typed

Sheet = TypeVar("Sheet")


def read_sheet(sheet: Mapping[str, Any], kind: type[Sheet], context: CommandContext, rule: str = "") -> Sheet:
    """The sheet as the struct that a system imports.

    Raises `sheet_invalid`, `not_one_line` and `only_blanks`.
    """
    try:
        typed_sheet: Sheet = typed(sheet, kind)
    except msgspec.ValidationError:
        fault = first_fault(sheet, kind)
        refuse_sheet("sheet_invalid", fault.path, say("{problem}.", problem=fault.problem), rule)
    return typed_sheet if context.decided_before else on_one_line(typed_sheet, kind)


def refuse_sheet(code: str, path: str, reason: str | Sentence, rule: str = "") -> NoReturn:
    """Raise `code`: the sheet is wrong at `path` (empty: as a whole)."""
    sentence = say("The sheet's {path}: {reason}", path=path, reason=reason)
    if not path:
        sentence = say("The sheet: {reason}", reason=reason)
    raise Rejection(code, sentence, rule=rule, path=path, reason=str(reason))
