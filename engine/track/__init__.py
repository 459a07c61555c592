"""Track on the map of a position: links between stops, a company's reach, distances."""
