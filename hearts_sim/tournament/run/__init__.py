"""Playing a run: parts out, results in, and what is decided on the way."""
