"""Whether a title's facts fit together, told to whoever wrote them."""
