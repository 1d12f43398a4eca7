"""What a run is, before anything is played: its entries, who sits where, and when it ends."""
