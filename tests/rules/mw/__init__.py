"""The rules of 18MW, by the headings of its rulebook."""
