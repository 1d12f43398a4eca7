"""Takes all the memory that there is."""

from ._late import _Late

PIECE = 1 << 24


class MemoryHog(_Late):
    """Fills its memory piece by piece.

    Without a limit it gives up at `most_mb`, and not with a MemoryError.
    """

    def __init__(self, hand=1, trick=1, most_mb=2000):
        super().__init__(hand, trick)
        self.most_mb = most_mb

    def misbehave(self, view):
        hoard = []
        while len(hoard) * PIECE < self.most_mb << 20:
            hoard.append(b"x" * PIECE)
        raise RuntimeError(f"nothing stopped it at {self.most_mb} MiB")
