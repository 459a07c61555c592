"""What holds for all tests: how far hypothesis searches, and that it repeats itself where it must."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("desk", max_examples=60, deadline=None, suppress_health_check=SLOW)
#: continuous integration tries more, and the same each time
settings.register_profile(
    "all", max_examples=200, deadline=None, suppress_health_check=SLOW, derandomize=True
)
settings.load_profile("all" if os.environ.get("WAYBILL_REQUIRE_ALL") == "1" else "desk")

#: rooms whose every test is long: games of bots, whole services, other programs beside ours
LONG = (
    "counts",
    "packaging",
    "properties",
    "service/workshop/practice",
    "service/workshop/rehearsal",
)
_HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    """What is in a long room is long."""
    rooms = tuple(_HERE / room for room in LONG)
    for item in items:
        if any(item.path.is_relative_to(room) for room in rooms):
            item.add_marker(pytest.mark.long)
