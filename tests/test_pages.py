"""The tutorial and the page on the library: all that they say is done, and must come out so."""

from __future__ import annotations

from pathlib import Path

import pytest
from trial import python


@pytest.mark.long
def test_pages_are_true() -> None:
    """Every command, file and figure of both pages."""
    done = python(str(Path(__file__).parent / "pages.py"))
    assert done.returncode == 0, done.stderr
