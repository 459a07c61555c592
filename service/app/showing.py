"""Updates the public pages in the running service, and logs trouble with their folder."""

from math import inf

import structlog

from service.publish.publishing import Publishing

log = structlog.get_logger()


def keep_pages(publishing: Publishing | None, seconds: float = inf) -> bool:
    """Update the pages; whether some were left, because no game is begun after so many seconds.

    A full disk or a read-only folder is tried again next time.
    """
    if publishing is None:
        return False
    try:
        publishing.run(seconds=seconds)
    except OSError as error:
        log.error("not published", file=error.filename, reason=error.strerror)
        return False
    return publishing.left
