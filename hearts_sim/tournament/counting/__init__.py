"""What is counted of the parts of a run, once, for all that a report says."""
