"""Structured logs: a line for people, or a JSON object a line for machines.

No line bears a seat's token: whoever reads it could write in the player's name.
"""

import logging
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog

from service.audience import without_tokens
from service.visible import visible


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
            # Before the renderer, which would show the local variables of each frame.
            structlog.processors.format_exc_info,
            _blot,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        # Standard error as it is when a line is written: it may be another one by then.
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )
    # Libraries log by the standard's logging: their lines, too, may quote an address.
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
