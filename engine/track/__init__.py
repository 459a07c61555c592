"""Track on the map of a position: links between stops, what a company reaches, how far it is."""
