"""Makes trouble when it is gone."""

from ._late import _Late


class DelRaises(_Late):
    """Raises where nobody can catch it: when it is deleted. Plays well."""

    def __del__(self):
        raise ValueError("deleted")

    def misbehave(self, view):
        return view.legal.lowest()
