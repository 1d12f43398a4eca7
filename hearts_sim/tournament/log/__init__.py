"""What is kept of a run: its files, their columns, and whether they are still what was written."""
