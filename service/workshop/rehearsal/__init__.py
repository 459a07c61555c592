"""Rehearsals: a written scenario is played against the whole service, by a clock of its own.

Mails go in and out as bytes, the database is a file of its own, the jobs are those of the daemon's
timetable. Only the mail servers and the time are made here. It knows no rules of a game.
"""

from service.workshop.rehearsal.playing import rehearse
from service.workshop.rehearsal.reading import read_file
from service.workshop.rehearsal.report import RehearsalReport
from service.workshop.rehearsal.source import ScenarioError
from service.workshop.rehearsal.world import Options

__all__ = ["Options", "RehearsalReport", "ScenarioError", "read_file", "rehearse"]
