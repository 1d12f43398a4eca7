"""Names of strategies as parts of an address: short, plain, and no two alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

LONGEST: Final = 40


def slugs(names: Iterable[str]) -> dict[str, str]:
    """A slug for each name, of ``a-z``, ``0-9`` and ``-`` alone.

    A name that keeps nothing of itself, or the same as one before it, gets a number.

    Examples
    --------
    >>> slugs(["AllRound", "allround", "All round!", "?"])
    {'AllRound': 'allround', 'allround': 'allround-2', 'All round!': 'all-round', '?': 'x'}
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        base = re.sub("[^a-z0-9]+", "-", plain).strip("-")[:LONGEST].strip("-") or "x"
        slug, number = base, 1
        while slug in taken:
            number += 1
            slug = f"{base}-{number}"
        taken.add(slug)
        found[name] = slug
    return found
