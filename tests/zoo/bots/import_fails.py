"""Does not import."""

from hearts_sim import Strategy


class ImportFails(Strategy):
    """Would play its lowest card."""

    def choose_card(self, view):
        return view.legal.lowest()


raise RuntimeError("this file is broken")
