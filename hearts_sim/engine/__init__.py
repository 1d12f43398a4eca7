"""The compiled core: the rules as functions on records, and the loop that plays games.

Read in this order: `layout`, `deal`, `passing`, `legal`, `play`, `score`, `game`.
"""
