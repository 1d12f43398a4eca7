"""The header for bots in C and C++: ``python -m hearts_sim.include`` prints its folder.

``hearts_sim.h`` is made from the records of the engine by `hearts_sim.strategy.header`.
"""
