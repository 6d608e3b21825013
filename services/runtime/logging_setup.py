"""How log lines look: one event per line on standard error, as text or as JSON, ours and the libraries'."""

import logging
import os
import sys
from typing import Any, Literal

import structlog


def configure_log_output(form: Literal["text", "json"]) -> None:
    """Set up logging for the whole process."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    renderers: list[Any] = (
        [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer()]
        if form == "json"
        else [
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty() and not os.environ.get("NO_COLOR"),
                exception_formatter=structlog.dev.plain_traceback,
            )
        ]
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for chatty in ("httpx", "httpcore", "uvicorn.error", "dramatiq"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
