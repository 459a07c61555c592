"""Games whose table is a mailing list: what comes by it, and what goes there."""
