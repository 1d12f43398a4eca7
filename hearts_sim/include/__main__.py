"""Print the folder of the header, for ``cc -I``."""

from __future__ import annotations

from pathlib import Path

if __name__ == "__main__":
    print(Path(__file__).resolve().parent)
