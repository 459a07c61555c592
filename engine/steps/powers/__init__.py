"""Powers of private companies in a company's operating turn: one module for each kind."""
