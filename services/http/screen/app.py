"""The application that people are served: the API, and the screen beside it."""

import os
from typing import Any

from litestar import Litestar, Request
from litestar.exceptions import MethodNotAllowedException, NotFoundException
from litestar.response import Response

from services.http.api import app as api
from services.http.problems import NoAnswerInTime, problem_response
from services.http.screen.routes import pages_router
from services.http.screen.shared.problem_page import page_of_problem
from services.http.screen.shared.screen_build import build
from services.reading.live_feed import Pace
from services.settings import Settings, read_settings


def create_app(
    settings: Settings | None = None, pace: Pace = api.DEFAULT_PACE, beside: api.Beside = api.NOTHING
) -> Litestar:
    """Make the API's application with pages; its settings come from the environment unless given."""
    return api.create_app(
        settings or read_settings(os.environ),
        pace,
        pages=[pages_router()],
        build=build(),
        beside=beside,
        failures=api.HANDLERS
        | dict.fromkeys((NotFoundException, MethodNotAllowedException, NoAnswerInTime), _page_or_problem),
    )


def _page_or_problem(request: Request[Any, Any, Any], failure: Exception) -> Response[bytes]:
    """Failures outside of a route: a page for a browser, a problem for a program."""
    is_browser = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")
    return (page_of_problem if is_browser else problem_response)(request, failure)
