"""Keeps the pages for everybody where the service runs; trouble with their folder is logged."""

from math import inf

import structlog

from service.publish.publishing import Publishing

log = structlog.get_logger()


def keep_pages(publishing: Publishing | None, seconds: float = inf) -> bool:
    """Bring the pages up to date; whether some were left because no game is begun after that time.

    A disk that is full, or a folder that may not be written, is for the next time.
    """
    if publishing is None:
        return False
    try:
        publishing.run(seconds=seconds)
    except OSError as error:
        log.error("not published", file=error.filename, reason=error.strerror)
        return False
    return publishing.left
