"""Works on games: decodes the store's rows, and carries out commands, orders and votes."""
