"""Rehearsals: play a written scenario against the whole service, with a simulated clock.

Emails go in and out as bytes. The database is a temporary file, and the jobs are those of the
daemon's timetable. Only the mail servers and the time are simulated. It knows no rules of a game.
"""

from service.workshop.rehearsal.playing import rehearse
from service.workshop.rehearsal.reading import read_file
from service.workshop.rehearsal.report import RehearsalReport
from service.workshop.rehearsal.source import ScenarioError
from service.workshop.rehearsal.world import Options

__all__ = ["Options", "RehearsalReport", "ScenarioError", "read_file", "rehearse"]
