"""Decides what somebody who asks is told."""
