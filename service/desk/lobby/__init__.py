"""Games before they begin, and what anybody may ask: creating, joining, options, starting."""
