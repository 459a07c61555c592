"""Says what a test needs: without it the test is skipped, or fails where nothing may be missing."""

import os
from pathlib import Path

import pytest


def need(there: bool, what: str) -> None:
    """Skip the running test with ``what`` unless it is there; fail under WAYBILL_REQUIRE_ALL=1."""
    if there:
        return
    if os.environ.get("WAYBILL_REQUIRE_ALL") == "1":
        pytest.fail(f"needed here: {what}")
    pytest.skip(f"needs {what}")


def peer_games() -> Path:
    """The folder of games played on another system; skips (or fails) where it is absent."""
    default = Path(__file__).resolve().parents[2] / "shared" / "peer-games"
    folder = Path(os.environ.get("WAYBILL_PEER_GAMES", default))
    need(folder.is_dir(), f"the folder of peer games ({folder}; set WAYBILL_PEER_GAMES)")
    return folder
