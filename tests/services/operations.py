"""The operations that the OpenAPI document declares."""

from pathlib import Path
from typing import Any, NamedTuple

from tests import golden

GOLDEN = Path(__file__).with_name("openapi.golden.json")
PROBLEM_JSON = "application/problem+json"


def operations(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method.upper()} {path}", operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


FIXED = {"system": "frame_state"}
"""Parameters of paths that name nothing of anybody's."""

QUERIES: dict[str, dict[str, Any]] = {
    "GET /api/campaigns/{campaign_id}/dice/read": {"notation": "4d6kh3+2"},
    "DELETE /api/campaigns/{campaign_id}/dice/saved": {"name": "Sword"},
    "GET /api/campaigns/{campaign_id}/diff": {"from": "1"},
    "GET /api/campaigns/{campaign_id}/sheets/{character}/why": {"path": "name"},
    "GET /api/campaigns/{campaign_id}/boards/{system}/{board_key}/why": {"path": "missions"},
    "GET /api/campaigns/{campaign_id}/ledger/accounts/{account}/why": {"currency": "credits"},
    "GET /api/campaigns/{campaign_id}/chronicle/export": {"format": "text"},
    "GET /api/campaigns/{campaign_id}/ledger/export": {"format": "hledger"},
}
"""What an operation must be asked with, by its label."""

ON_PAST_ACTIONS = "/actions/{action_id}/"
"""Whether undo and redo may be is a matter of what happened since; these tests look at outsiders only."""


class Operation(NamedTuple):
    """An operation as the document declares it."""

    method: str
    path: str
    roles: list[str]
    roles_for_others: list[str]
    parameters: list[str]

    @property
    def label(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def in_campaign(self) -> bool:
        return "campaign_id" in self.parameters

    @property
    def thing(self) -> str | None:
        """The parameter that names something besides the campaign."""
        names_money = {"account"} if "/ledger/" in self.path else set()
        fixed = {"campaign_id", *FIXED} | names_money
        return next((name for name in self.parameters if name not in fixed), None)


def declared(document: dict[str, Any]) -> list[Operation]:
    """Those of a document, in its order."""
    return [
        Operation(
            method.upper(),
            path,
            operation.get("x-roles", []),
            operation.get("x-roles-for-others", []),
            [each["name"] for each in operation.get("parameters", []) if each["in"] == "path"],
        )
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


OPERATIONS = declared(golden.read(GOLDEN))
"""Those of the stored document, which `test_openapi_golden.py` holds to the served one. An application, made only
for test processes to know what there is to try, would take each of them seconds.
"""
