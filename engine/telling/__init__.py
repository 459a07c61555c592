"""A position and its events in words and figures, for whoever shows them; no layout, no drawing."""
