"""The sources are clean: linted, formatted and typed."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest
from trial import python

ROOT = Path(__file__).parents[1]
CHECKS = {
    "lint": ("ruff", "check", "--no-cache"),
    "format": ("ruff", "format", "--check", "--no-cache"),
    "types": ("mypy",),
}


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
def test_clean(check: tuple[str, ...]) -> None:
    """Linter, formatter and type checker have nothing to say."""
    if importlib.util.find_spec(check[0]) is None:
        pytest.skip(f"{check[0]} is not installed")
    done = python("-m", *check, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_dependencies_are_used() -> None:
    """Every dependency is imported somewhere in the package."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    listed = re.search(r"\ndependencies = \[\n(.*?)\n\]", project, re.DOTALL)
    assert listed
    names = set(re.findall(r'"([A-Za-z0-9-]+)', listed[1]))
    modules = {"pyyaml": "yaml", "pillow": "PIL"}
    wanted = {modules.get(name.lower(), name.lower()) for name in names}
    sources = "\n".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "hearts_sim").rglob("*.py")
    )
    imported = set(re.findall(r"^\s*(?:import|from) (\w+)", sources, re.MULTILINE))
    assert wanted <= imported
