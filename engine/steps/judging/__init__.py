"""Rules that several steps share: sales, money that must be raised, whether a tile fits."""
