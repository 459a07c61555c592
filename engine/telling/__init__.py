"""A position and its events in words and numbers; knows no layout and no drawing."""
