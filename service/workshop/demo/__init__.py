"""Whole games on one machine: the demonstration by mail, the hot seat, the pipeline's benchmark."""
