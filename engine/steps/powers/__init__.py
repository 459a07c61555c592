"""The powers of private companies in a company's operating turn, one kind of power a module."""
