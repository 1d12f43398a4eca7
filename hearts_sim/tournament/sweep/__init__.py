"""Tuning options of a strategy: many duels, each a run of its own."""
