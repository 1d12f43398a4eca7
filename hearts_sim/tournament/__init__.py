"""Tournaments: config, schedule, player processes, results folder."""
