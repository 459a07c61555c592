"""18GA: a proof for each numbered rule."""
