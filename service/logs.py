"""Structured logs: one line of text for people, or one JSON object per line for programs.

No line contains the token of a seat, because a reader of the log could use it to write as the
player.
"""

import logging
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog

from service.audience import without_tokens
from service.visible import visible


def configure(level: str = "info", as_json: bool = False) -> None:
    """Start to log to standard error. ``level`` is debug, info, warning or error."""
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
            # This must run before the renderer, which would show the local variables of each frame.
            structlog.processors.format_exc_info,
            _blot,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        # Look up standard error for each line, because it may have been replaced.
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )
    # Libraries use the standard logging module. Their lines may contain an address too.
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Blotter(logging.BASIC_FORMAT))
    logging.basicConfig(handlers=[handler], level=max(number, logging.WARNING))


class _Blotter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return visible(without_tokens(super().format(record)))


def _blot(logger: object, method: str, line: MutableMapping[str, Any]) -> Mapping[str, Any]:
    return {key: _blotted(value) for key, value in line.items()}


def _blotted(value: Any) -> Any:  # noqa: ANN401 - whatever is logged
    if isinstance(value, str):
        return visible(without_tokens(value))
    plain = value is None or isinstance(value, bool | int | float)
    return value if plain else visible(without_tokens(str(value)))
