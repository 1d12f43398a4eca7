"""How a process of ours that plays bots is started, and where its standard streams go."""

from __future__ import annotations

import json
import os
import sys


def python_command(module: str, *arguments: str) -> list[str]:
    """Command that runs ``main()`` of a module in another Python, which finds the same packages.

    It finds the arguments in ``sys.argv``.
    """
    start = (
        "import sys, json; sys.path[:] = json.loads(sys.argv.pop()); "
        f"from {module} import main; main()"
    )
    folders = json.dumps([str(folder) for folder in sys.path])
    return [sys.executable, "-c", start, *arguments, folders]


def take_streams() -> tuple[int, int]:
    """File numbers of the pipes of the other side.

    Bots find nothing to read on standard input, and what they print goes to standard error.
    """
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, answers
