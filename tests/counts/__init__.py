"""How much is legal at fixed positions of recorded games; a file of figures for each title.

It holds the rules against accidents: what is counted was looked at once, and any change of a rule
that adds an option somewhere, or takes one away, shows here with the option. `python -m tests.counts`
counts anew.
"""
