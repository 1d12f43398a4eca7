"""The config file: read, checked as a whole, and described for editors."""
