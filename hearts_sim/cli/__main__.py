"""``python -m hearts_sim.cli``."""

from hearts_sim.cli import main

if __name__ == "__main__":
    main()
