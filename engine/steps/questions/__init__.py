"""Decisions that interrupt others, such as an answer that another player owes."""
