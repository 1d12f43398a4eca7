"""The files of a first tournament: strategies, configs, and a page that says what to do next."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import hearts_sim
from hearts_sim.errors import HeartsError, WouldOverwrite
from hearts_sim.tournament.log.durable import CannotWrite, write_files

_FOLDERS: Final = ("strategies", "configs")
_SCHEMA: Final = "config.schema.json"
_SHOWN: Final = 5


class NoStarter(HeartsError):
    """The package lies somewhere without the files that come with it."""


def starter_folder() -> Path:
    """Where the shipped strategies and configs are.

    In an installed package they lie in ``starter`` within it; where it is used from a checkout, as
    after ``pip install -e``, beside it.

    Raises
    ------
    NoStarter
        When they are in neither place.
    """
    package = Path(hearts_sim.__file__).parent
    for folder in (package / "starter", package.parent):
        if all((folder / name).is_dir() for name in _FOLDERS):
            return folder
    raise NoStarter(
        f"{package / 'starter'} does not have the strategies and configs that come with "
        "hearts-sim: install it again"
    )


def _is_no_source(name: str) -> bool:
    """Whether a file or folder was made by tools that were used there."""
    return name.startswith(".") or name == "__pycache__" or name.endswith((".pyc", ".so"))


def starter_files() -> dict[str, bytes]:
    """The files of a starter folder by their path in it, with ``/``."""
    from hearts_sim.tournament.config.schema import config_schema

    home = starter_folder()
    files = {
        path.relative_to(home).as_posix(): path.read_bytes()
        for name in _FOLDERS
        for path in sorted((home / name).rglob("*"))
        if path.is_file() and not any(_is_no_source(part) for part in path.relative_to(home).parts)
    }
    for name in files:
        if name.startswith("configs/") and name.endswith((".yaml", ".yml")):
            up = "../" * (name.count("/") - 1)
            files[name] = f"# yaml-language-server: $schema={up}{_SCHEMA}\n".encode() + files[name]
    files[f"configs/{_SCHEMA}"] = (json.dumps(config_schema(), indent=2) + "\n").encode()
    files["README.md"] = _README.encode()
    return files


def write_starter(folder: Path, *, force: bool = False) -> list[str]:
    """Write a starter folder.

    Parameters
    ----------
    folder : path
        Made if it is not there.
    force : bool
        Whether files that are there and differ are replaced.

    Returns
    -------
    list of str
        Paths, in the folder, of the files that were written; what is there already and the same is
        not.

    Raises
    ------
    WouldOverwrite
        With what is in the way; nothing is written then.
    CannotWrite
        When the disk does not take it.
    """
    files = starter_files()
    try:
        wanted = _wanted(folder, files, force=force)
        write_files({folder / name: files[name] for name in wanted})
        for name in wanted:
            if files[name].startswith(b"#!"):
                (folder / name).chmod(0o755)
    except OSError as error:
        raise CannotWrite(f"{folder}: cannot be written: {error.strerror}") from None
    return wanted


def _wanted(folder: Path, files: Mapping[str, bytes], *, force: bool) -> list[str]:
    """The files that are to be written: those that are not there, or differ and may be replaced."""
    if folder.exists() and not folder.is_dir():
        raise WouldOverwrite(f"{folder} is a file: give the name of a folder")
    in_the_way, wanted = [], []
    for name, data in files.items():
        path = folder / name
        blocked = next((up for up in path.parents if up.is_file()), None)
        if path.is_dir() or blocked is not None:
            raise WouldOverwrite(
                f"{blocked or path} is in the way of {path}: rename it, or give another folder"
            )
        if _is_same(path, data):
            continue
        wanted.append(name)
        if path.exists():
            in_the_way.append(str(path))
    if in_the_way and not force:
        shown = "\n".join(f"  {path}" for path in in_the_way[:_SHOWN])
        more = f"\n  and {len(in_the_way) - _SHOWN} more" if len(in_the_way) > _SHOWN else ""
        raise WouldOverwrite(
            f"these are there already, and differ:\n{shown}{more}\n"
            "nothing is written: give another folder, or --force to replace them"
        )
    return wanted


def _is_same(path: Path, data: bytes) -> bool:
    try:
        return path.read_bytes() == data
    except OSError:  # not there, or not to be read
        return False


_README: Final = """\
# A tournament of Hearts

```sh
hearts-sim run configs/quickstart.yaml      # play, rate, draw: open results/quickstart/report.html
hearts-sim new MyBot                        # a strategy of your own: strategies/my_bot.py
hearts-sim check strategies/my_bot.py       # is it fit to play
hearts-sim run configs/quickstart.yaml      # with it
```

| place | what it is |
|---|---|
| `strategies/` | a file for each strategy; those that came along are to be beaten and copied |
| `configs/` | who plays whom, by which rules; `config.schema.json` lets editors complete them |
| `results/` | what was played, with a report for each run |

What else there is:

```sh
hearts-sim compare results/quickstart LowCard HighCard    # which is better, by how much, where
hearts-sim replay results/quickstart 0                    # a game card by card; --html: a page
hearts-sim export results/quickstart -o hands.csv         # the log, for another program
hearts-sim variants                                       # thirty ways to play Hearts
hearts-sim --help
```
"""
