"""Where a request goes, as logs tell it."""

import re
from typing import Any
from uuid import UUID

from litestar.types import Scope

HIDDEN = "…"
UNKNOWN = "(no such path)"
PARAMETER = re.compile(r"\{([a-z_]+)(?::[a-z]+)?\}")
ID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def place(scope: Scope) -> str:
    """The path of a request without what may be secret in it: of its parameters, only ids and numbers are told."""
    template: str = scope.get("path_template") or UNKNOWN
    parameters: dict[str, Any] = scope.get("path_params") or {}
    return PARAMETER.sub(lambda match: _redact(parameters.get(match[1])), template)


def _redact(value: object) -> str:
    is_id = isinstance(value, int | UUID) or (isinstance(value, str) and ID.fullmatch(value) is not None)
    return str(value) if is_id else HIDDEN
