"""What several steps judge alike: sales, money that must be raised, whether a tile fits."""
