"""The best runs of a company's trains, found and proved; counts steps, not seconds."""
