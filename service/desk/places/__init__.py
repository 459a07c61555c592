"""Decides which list and forum a game asks for, and how players are known there."""
