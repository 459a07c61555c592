"""What proves the program and shows it: bots, rehearsals, the demo, benches.

The command line alone imports it.
"""
