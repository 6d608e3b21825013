"""The ASGI application: routes, errors, documentation, and their access to the running process."""

import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Any, TypeAlias

from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import NotFoundException
from litestar.openapi.plugins import SwaggerRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Server
from litestar.plugins.prometheus import PrometheusConfig
from litestar.types import ASGIApp

from services.accounts.fair_read_queue import Reads
from services.application import Application
from services.http import problems, request_faults
from services.http.api.account_data import AccountDataController
from services.http.api.accounts import AccountsController
from services.http.api.actions import ActionsController
from services.http.api.boards import BoardsController
from services.http.api.browser_sessions import SessionsController
from services.http.api.calendar_feeds import CalendarFeedController, read_feed
from services.http.api.caller import provide_asker, provide_caller
from services.http.api.campaign_in_path import provide_visible
from services.http.api.campaigns import CampaignsController
from services.http.api.chronicle_export import ChronicleController
from services.http.api.dice import DiceController
from services.http.api.diff import PastController
from services.http.api.documentation_files import documentation_file
from services.http.api.fast_action_route import FastActionRoute
from services.http.api.foreign_calendars import CalendarsController
from services.http.api.health import live, metrics, ready
from services.http.api.integrity import ProofController
from services.http.api.ledger import LedgerController
from services.http.api.live import LiveController
from services.http.api.members import MembersController
from services.http.api.openapi import Documentation
from services.http.api.openapi_structs import StructReferences
from services.http.api.possible_commands import CommandsController
from services.http.api.push_call_devices import DevicesController
from services.http.api.service_records import RecordsController
from services.http.api.sheets import SheetsController
from services.http.api.statistics import StatisticsController
from services.http.api.table import TableController
from services.http.api.things import ThingsController
from services.http.api.timers import TimersController
from services.http.api.transfer import ExportController, ImportController
from services.http.api.undo import UndoController, undo_since
from services.http.api.webhooks import WebhooksController
from services.http.api.words import WordsController
from services.http.middleware.authentication import ReaderOfAccount, provide_principal
from services.http.middleware.base_path import BasePath
from services.http.middleware.common_middleware import Envelope
from services.http.middleware.compact_answers import CompactAnswers
from services.http.middleware.cross_origin_access import CrossOrigin
from services.http.middleware.head_middleware import HeadLikeGet
from services.http.middleware.kept_documents import KeptDocuments
from services.http.middleware.outage_gate import OutageGate
from services.http.middleware.read_queue import ReadGate
from services.http.middleware.request_log import RequestLog
from services.http.middleware.request_validation import note_parameters, require_plain_request
from services.http.middleware.session_cookie import cookie_name
from services.http.middleware.time_limit import TimeLimit
from services.reading.live_feed import Feeds, Pace
from services.settings import Settings, read_settings
from services.version import VERSION
from services.wiring.application import open_application

DEFAULT_PACE = Pace()
Beside: TypeAlias = Callable[[Application, Settings], AbstractAsyncContextManager[None]]
"""The work done beside the API while it is open."""
NOTHING: Beside = lambda *_: nullcontext()  # noqa: E731 - a value like the others

HANDLERS = problems.HANDLERS | request_faults.HANDLERS
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
    The API is whole without the `pages` of the screen, which `services.http.screen.app` adds; `failures` are the
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
                app.asgi_handler = _guarded(app, direct, settings, failures)
            app.state.import_bytes_max = settings.import_bytes_max
            app.state.metrics_token = settings.metrics_token
            app.state.feeds = feeds = Feeds(app.state.pace, build)
            try:
                yield
            finally:
                feeds.end()

    references = StructReferences()
    counted = PrometheusConfig(app_name="fieldlog", prefix="fieldlog", group_path=True)
    app = Litestar(
        route_handlers=[
            AccountsController,
            AccountDataController,
            DevicesController,
            SessionsController,
            CampaignsController,
            MembersController,
            WebhooksController,
            ActionsController,
            CommandsController,
            TableController,
            UndoController,
            undo_since,
            PastController,
            LiveController,
            SheetsController,
            BoardsController,
            ChronicleController,
            LedgerController,
            ThingsController,
            StatisticsController,
            DiceController,
            TimersController,
            CalendarsController,
            CalendarFeedController,
            read_feed,
            RecordsController,
            WordsController,
            ProofController,
            ExportController,
            ImportController,
            live,
            ready,
            metrics,
            *pages,
            documentation_file,
        ],
        dependencies={
            "application": Provide(_provide_application),
            "feeds": Provide(_provide_feeds),
            "caller": Provide(provide_caller),
            "asker": Provide(provide_asker),
            "principal": Provide(provide_principal),
            "visible": Provide(provide_visible),
        },
        before_request=require_plain_request,
        exception_handlers=dict(failures.items()),
        lifespan=[lifespan],
        state=State({"settings": settings, "pace": pace}),
        logging_config=None,  # `services.runtime.logging_setup` has set up logging for the whole process
        middleware=[counted.middleware],
        request_max_body_size=settings.body_bytes_max,
        openapi_config=_documentation(references, settings.base_path),
        plugins=[references],
    )
    note_parameters(app)
    routes = ReaderOfAccount(app.asgi_handler)
    app.asgi_handler = _guarded(app, routes, settings, failures)
    return app


async def _provide_application(state: State) -> Application:
    application: Application = state.application
    return application


async def _provide_feeds(state: State) -> Feeds:
    feeds: Feeds = state.feeds
    return feeds


def _guarded(
    app: Litestar, routes: ASGIApp, settings: Settings, failures: Mapping[type[Exception], Any]
) -> ASGIApp:
    """The routes inside the middleware that every request passes."""
    timed = TimeLimit(routes, problem_of=failures[problems.NoAnswerInTime])

    def describe() -> object:
        return app.openapi_schema.to_schema()

    documents = KeptDocuments(CompactAnswers(Envelope(timed)), describe)
    problem_of = failures.get(NotFoundException, problems.problem_response)
    gated = ReadGate(documents, Reads(settings.read_seconds_per_minute), problem_of)
    open_only = OutageGate(gated)
    shared = CrossOrigin(open_only, settings.cors_origins) if settings.cors_origins else open_only
    whole = HeadLikeGet(RequestLog(shared, is_written=settings.request_log))
    return BasePath(whole, settings.base_path) if settings.base_path else whole


def _documentation(references: StructReferences, base: str) -> Documentation:
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
                        "`__Host-`. A request that changes something by it must come from a page of this "
                        "service (`Origin`, else `Referer`): otherwise 403 `foreign_origin`. A bearer token goes "
                        "before it."
                    ),
                ),
            }
        ),
        security=[{"token": []}, {"session": []}],
        use_handler_docstrings=True,
        references=references,
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
