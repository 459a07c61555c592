"""Structured logs: a line for people, or a JSON object a line for machines."""

import logging
import sys

import structlog


def configure(level: str = "info", as_json: bool = False) -> None:
    """Log to standard error from now on; ``level`` is debug, info, warning or error."""
    number = getattr(logging, level.upper())
    renderer = (
        structlog.processors.JSONRenderer()
        if as_json
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(stream=sys.stderr, level=max(number, logging.WARNING))
