"""Decides which list and forum a game asks for, and which players ask to be known there."""
