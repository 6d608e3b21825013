"""The ASGI application: routes, errors, documentation, and their access to the running process."""

import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from importlib.util import find_spec
from typing import Any, TypeAlias

from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.di import Provide
from litestar.openapi.plugins import SwaggerRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Server
from litestar.plugins.prometheus import PrometheusConfig
from litestar.static_files import create_static_files_router
from litestar.types import ASGIApp

from services.api import faults, problems
from services.api.account_data import AccountDataController
from services.api.accounts import AccountsController
from services.api.actions import ActionsController
from services.api.authentication import ReaderOfAccount, provide_principal
from services.api.base_path import BasePath
from services.api.boards import BoardsController
from services.api.campaigns import CampaignsController
from services.api.commands import CommandsController
from services.api.compact_answers import CompactAnswers
from services.api.cross_origin import CrossOrigin
from services.api.diff import PastController
from services.api.envelope import Envelope
from services.api.fast_action_route import FastActionRoute
from services.api.head_middleware import HeadLikeGet
from services.api.health import live, metrics, ready
from services.api.integrity import ProofController
from services.api.ledger import LedgerController
from services.api.live import LiveController
from services.api.members import MembersController
from services.api.openapi import Documentation
from services.api.openapi_structs import StructReferences
from services.api.records import RecordsController
from services.api.request_log import RequestLog
from services.api.request_validation import note_parameters, refuse_nul_in_file_name, require_plain_request
from services.api.seen_campaign import provide_seen
from services.api.session_cookie import cookie_name
from services.api.sessions import SessionsController
from services.api.sheets import SheetsController
from services.api.statistics import StatisticsController
from services.api.table import TableController
from services.api.time_limit import TimeLimit
from services.api.timers import TimersController
from services.api.transfer import ExportController, ImportController
from services.api.undo import UndoController
from services.api.words import WordsController
from services.application import Application
from services.queries.live_feed import Feeds, Pace
from services.settings import Settings, read_settings
from services.version import VERSION
from services.wiring.application import open_application

SWAGGER_UI = find_spec("offapi")
"""The package with Swagger UI's files. Importing it would read all of them."""
DEFAULT_PACE = Pace()
Beside: TypeAlias = Callable[[Application, Settings], AbstractAsyncContextManager[None]]
"""What is done beside the API while it is open."""
NOTHING: Beside = lambda *_: nullcontext()  # noqa: E731 - a value like the others

HANDLERS = problems.HANDLERS | faults.HANDLERS
"""How the API tells each kind of failure."""


def create_app(
    settings: Settings | None = None,
    pace: Pace = DEFAULT_PACE,
    *,
    direct_acting: bool = True,
    pages: Sequence[Router] = (),
    failures: Mapping[type[Exception], Any] = HANDLERS,
    build: str = VERSION,
    beside: Beside = NOTHING,
) -> Litestar:
    """Make the application; its settings come from the environment unless given.

    A stopped application can be started again, with other settings of the same `body_bytes_max` in its state.
    The API is whole without the `pages` of the screen, which `services.pages.app` adds; `failures` are the
    handlers of what fails outside of them. Feeds tell the `build`. `direct_acting` False leaves `POST …/actions`
    to Litestar, for the test that compares the two.
    """
    settings = settings or read_settings(os.environ)

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        settings: Settings = app.state.settings
        async with open_application(settings) as application, beside(application, settings):
            app.state.application = application
            if direct_acting:
                direct = FastActionRoute(application, routes, settings.body_bytes_max)
                app.asgi_handler = _guarded(direct, settings, failures)
            app.state.import_bytes_max = settings.import_bytes_max
            app.state.metrics_token = settings.metrics_token
            app.state.feeds = feeds = Feeds(app.state.pace, build)
            try:
                yield
            finally:
                feeds.end()

    named = StructReferences()
    counted = PrometheusConfig(app_name="fieldlog", prefix="fieldlog", group_path=True)
    app = Litestar(
        route_handlers=[
            AccountsController,
            AccountDataController,
            SessionsController,
            CampaignsController,
            MembersController,
            ActionsController,
            CommandsController,
            TableController,
            UndoController,
            PastController,
            LiveController,
            SheetsController,
            BoardsController,
            LedgerController,
            StatisticsController,
            TimersController,
            RecordsController,
            WordsController,
            ProofController,
            ExportController,
            ImportController,
            live,
            ready,
            metrics,
            *pages,
            create_static_files_router(
                path="/api/docs/assets",
                directories=[*((SWAGGER_UI and SWAGGER_UI.submodule_search_locations) or ())],
                include_in_schema=False,
                before_request=refuse_nul_in_file_name,
            ),
        ],
        dependencies={
            "application": Provide(_provide_application),
            "feeds": Provide(_provide_feeds),
            "principal": Provide(provide_principal),
            "seen": Provide(provide_seen),
        },
        before_request=require_plain_request,
        exception_handlers=dict(failures.items()),
        lifespan=[lifespan],
        state=State({"settings": settings, "pace": pace}),
        logging_config=None,  # `services.runtime.logging_setup` has set up logging for the whole process
        middleware=[counted.middleware],
        request_max_body_size=settings.body_bytes_max,
        openapi_config=_documentation(named, settings.base_path),
        plugins=[named],
    )
    note_parameters(app)
    routes = ReaderOfAccount(app.asgi_handler)
    app.asgi_handler = _guarded(routes, settings, failures)
    return app


async def _provide_application(state: State) -> Application:
    application: Application = state.application
    return application


async def _provide_feeds(state: State) -> Feeds:
    feeds: Feeds = state.feeds
    return feeds


def _guarded(routes: ASGIApp, settings: Settings, failures: Mapping[type[Exception], Any]) -> ASGIApp:
    """The routes inside the middleware that every request passes."""
    timed = TimeLimit(routes, told=failures[problems.NoAnswerInTime])
    shared = CrossOrigin(timed, settings.cors_origins) if settings.cors_origins else timed
    logged = RequestLog(Envelope(shared), is_written=settings.request_log)
    compact = HeadLikeGet(CompactAnswers(logged))
    return BasePath(compact, settings.base_path) if settings.base_path else compact


def _documentation(named: StructReferences, base: str) -> Documentation:
    return Documentation(
        title="Fieldlog",
        version=VERSION,
        description=(
            "Long tabletop campaigns as immutable events. Sign up with `POST /api/accounts`, send the token as "
            "`Authorization: Bearer …`, found a campaign, act. Every refusal is problem+json with a stable `code`."
        ),
        path="/api/docs",
        servers=[Server(url=base or "/")],
        components=Components(
            security_schemes={
                "token": SecurityScheme(type="http", scheme="bearer"),
                "session": SecurityScheme(
                    type="apiKey",
                    name=cookie_name(base),
                    security_scheme_in="cookie",
                    description=(
                        "The cookie that `POST /api/session` sets in a browser; over HTTPS its name begins with "
                        "`__Host-`. What changes something by it must come from a page of this service (`Origin`, "
                        "else `Referer`): otherwise 403 `foreign_origin`. A bearer token goes before it."
                    ),
                ),
            }
        ),
        security=[{"token": []}, {"session": []}],
        use_handler_docstrings=True,
        named=named,
        render_plugins=[
            SwaggerRenderPlugin(
                path="/",
                favicon="",
                js_url=f"{base}/api/docs/assets/swagger_bundle.js",
                css_url=f"{base}/api/docs/assets/swagger_style.css",
                standalone_preset_js_url=f"{base}/api/docs/assets/swagger_preset.js",
            )
        ],
    )
