"""`/health` and `/metrics`, for operators."""

import os
from contextlib import suppress
from typing import Any

from litestar import Request, get
from litestar.di import NamedDependency
from msgspec import Struct
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from domain.event_store_types import DatabaseUnavailable
from domain.rejection import Missing
from services.application import Application
from services.http.api.openapi import BY_TOKEN, OPEN
from services.http.api.openapi_roles import ANYONE, OPERATOR
from services.http.problems import NotSignedIn
from services.runtime.lag_metrics import DRIFTING, measured, measured_timers
from services.runtime.metrics_token import REFUSAL, is_metrics_token

METRICS_TYPE = CONTENT_TYPE_LATEST.removesuffix("; charset=utf-8")
"""Litestar adds the charset."""


@get(
    "/metrics",
    security=BY_TOKEN,
    tags=["running it"],
    summary="Numbers for Prometheus",
    media_type=METRICS_TYPE,
    operation_class=OPERATOR,
)
async def metrics(request: Request[Any, Any, Any], application: NamedDependency[Application]) -> bytes:
    """Requests, actions, live feeds; unless the database is away, also lag, parked timers and drift.

    The token is the value of FIELDLOG_METRICS_TOKEN; no account has it. 404 if none is set.
    """
    token: str | None = request.app.state.metrics_token
    if token is None:
        raise Missing("not_found", "There are no metrics here: FIELDLOG_METRICS_TOKEN is not set.")
    if not is_metrics_token(request.headers.get("authorization", ""), token):
        raise NotSignedIn(REFUSAL)
    with suppress(DatabaseUnavailable):
        await measured(application.views)
        await measured_timers(application.timers)
        DRIFTING.set(await application.ledger_checks.drifting())
    return generate_latest(_registry())


def _registry() -> CollectorRegistry:
    """The numbers of this process, or of all that share its port and with it this folder."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    together = CollectorRegistry()
    MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return together


class Health(Struct, frozen=True):
    """The state of the service."""

    status: str


@get("/health/live", security=OPEN, tags=["running it"], summary="Is the process alive?", operation_class=ANYONE)
async def live() -> Health:
    """Answers while the process runs."""
    return Health("alive")


@get("/health/ready", security=OPEN, tags=["running it"], summary="Can it serve?", operation_class=ANYONE)
async def ready(application: NamedDependency[Application]) -> Health:
    """200 when commands can be taken. Otherwise 503 within a second, with the reason in `code`.

    The codes are `database_away`, `database_read_only`, `disk_full`, `too_many_connections`, `overloaded`,
    `commits_fail` and `commands_wait`.
    """
    await application.readiness.require()
    return Health("ready")
