"""The clock on this machine's wall, by the rules its system has; and zones by their names."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from aftermind.engine.errors import Unusable
from aftermind.engine.zones import HERE, zone_of

BERLIN = ZoneInfo("Europe/Berlin")


def test_this_machines_zone_is_what_its_system_says() -> None:
    local = datetime(2027, 7, 1, 12, 30)  # noqa: DTZ001 - it is the machine's
    assert local.replace(tzinfo=HERE).astimezone(UTC) == local.astimezone(UTC)
    assert local.astimezone(UTC).astimezone(HERE).replace(tzinfo=None) == local


def test_an_hour_that_comes_twice_is_the_one_it_was() -> None:
    """In a process of its own: a process learns its zone once."""
    moments = [datetime(2026, 10, 25, tzinfo=UTC) + timedelta(minutes=30 * n) for n in range(6)]
    told = (
        "import sys; from datetime import UTC, datetime; from aftermind.engine.zones import HERE\n"
        "for said in sys.argv[1:]:\n"
        "    here = datetime.fromisoformat(said).astimezone(HERE)\n"
        "    print(here.isoformat(), here.astimezone(UTC).isoformat())"
    )
    environment = {**os.environ, "TZ": "Europe/Berlin"}
    command = [sys.executable, "-c", told, *(at.isoformat() for at in moments)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == [f"{at.astimezone(BERLIN).isoformat()} {at.isoformat()}" for at in moments]


def test_a_zone_that_python_does_not_take_is_utc() -> None:
    told = "from datetime import *; from aftermind.engine.zones import HERE; print(datetime.now(HERE).utcoffset())"
    environment = {**os.environ, "TZ": "XYZ+24"}
    ran = subprocess.run([sys.executable, "-c", told], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout == "0:00:00\n"


def test_a_zone_has_a_name_or_is_this_machines() -> None:
    assert zone_of("") is HERE
    assert zone_of("Europe/Berlin") == BERLIN
    with pytest.raises(Unusable, match="Atlantis"):
        zone_of("Europe/Atlantis")
