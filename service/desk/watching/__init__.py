"""Who watches a game by mail without playing in it: asking, answering, telling."""
