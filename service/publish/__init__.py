"""Pages for everybody: static files about the games that may be seen, kept up to date."""
