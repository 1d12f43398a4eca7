"""What comes after a run: its tables, and its games again."""
