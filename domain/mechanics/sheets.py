"""Reads sheets of other campaigns, and refuses what a system cannot import."""

from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

import msgspec

from domain.decode_errors import misshapen
from domain.rejection import Rejection
from domain.sentences import Sentence, say

Sheet = TypeVar("Sheet")


def read_sheet(sheet: Mapping[str, Any], kind: type[Sheet], rule: str = "") -> Sheet:
    """The sheet as the struct of what a system imports. Raises `sheet_invalid`."""
    try:
        return msgspec.convert(sheet, kind)
    except msgspec.ValidationError as problem:
        reason, path = misshapen(problem)
        refuse_sheet("sheet_invalid", path, reason, rule)


def refuse_sheet(code: str, path: str, reason: str | Sentence, rule: str = "") -> NoReturn:
    """Raise `code`: the sheet is wrong at `path` (empty: as a whole)."""
    told = say("The sheet's {path}: {reason}", path=path, reason=reason)
    if not path:
        told = say("The sheet: {reason}", reason=reason)
    raise Rejection(code, told, rule=rule, path=path, reason=str(reason))
