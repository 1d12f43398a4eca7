"""How strategies plug in: what they see, how they are called, how they are found."""
