"""Who plays a seat, and where they are reached: standbys, deputies, replacements, addresses."""
