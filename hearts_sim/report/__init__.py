"""Numbers, charts and pages of a run."""
