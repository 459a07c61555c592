"""Everything that players read: pages made of positions and past acts, without clock or sending."""

from service.reports import answers, routes
from service.reports.letters import (
    answer_page,
    confirm_page,
    created_page,
    fault_page,
    foreign_page,
    help_page,
    joined_page,
    note_page,
    stranger_page,
    welcome_page,
)
from service.reports.news import ended_page, news_page, round_page, void_page
from service.reports.receipt import misread, receipt_page, refused
from service.reports.scene import Answer, Figure, Page, Result, Said, Scene, Status, Told
from service.reports.subjects import answering
from service.reports.turn import turn_page

__all__ = [
    "Answer",
    "Figure",
    "Page",
    "Result",
    "Said",
    "Scene",
    "Status",
    "Told",
    "answer_page",
    "answering",
    "answers",
    "confirm_page",
    "created_page",
    "ended_page",
    "fault_page",
    "foreign_page",
    "help_page",
    "joined_page",
    "misread",
    "news_page",
    "note_page",
    "receipt_page",
    "refused",
    "round_page",
    "routes",
    "stranger_page",
    "turn_page",
    "void_page",
    "welcome_page",
]
