"""The roles that may use an operation: declared with the route, shown in the OpenAPI document as `x-roles`.

`anyone` needs no token, `account` any token; `gm`, `player` and `observer` are the roles of members of the
campaign in the path; `operator` runs the service, with a token that is no account's. Members of another role get
403; other accounts get the answer for a campaign that does not exist. A test generated from the document tries
every caller on every operation.
"""

from dataclasses import dataclass, field
from typing import Literal

from litestar.openapi.spec import Operation

RoleName = Literal["anyone", "account", "gm", "player", "observer", "operator"]


def open_to(*roles: RoleName, others: tuple[RoleName, ...] | None = None) -> type[Operation]:
    """The `operation_class` of a route; `others` may use it on another account's things (None: the same roles)."""

    @dataclass
    class OperationWithRoles(Operation):
        x_roles: list[str] = field(default_factory=lambda: [*roles], metadata={"alias": "x-roles"})
        x_roles_for_others: list[str] = field(
            default_factory=lambda: [*(roles if others is None else others)],
            metadata={"alias": "x-roles-for-others"},
        )

    return OperationWithRoles


ANYONE = open_to("anyone")
OPERATOR = open_to("operator")
ACCOUNT = open_to("account", others=())
MEMBERS = open_to("gm", "player", "observer")
PLAYERS = open_to("gm", "player")
GMS = open_to("gm")
THEMSELVES = open_to("gm", "player", "observer", others=("gm",))
