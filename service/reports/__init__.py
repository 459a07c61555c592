"""Everything that players read: pages made of positions and past acts, without clock or sending."""

from service.reports import answers, route_answers
from service.reports.briefing import Brief, briefing_page
from service.reports.faults import fault_page, faults_page
from service.reports.letters import (
    DRAWN,
    PutBy,
    answer_page,
    confirm_page,
    created_page,
    foreign_page,
    joined_page,
    note_page,
    opening_blocks,
    seated,
    stranger_page,
    welcome_page,
)
from service.reports.lobby import lobby_page, without_pictures
from service.reports.news import ended_page, news_page, round_page, void_page
from service.reports.owners import away_page, renewed_page, unknown_page
from service.reports.receipt import misread, receipt_page, refused
from service.reports.scene import (
    About,
    Answer,
    Figure,
    Handled,
    Page,
    PageLook,
    Result,
    Said,
    Scene,
    Since,
    Status,
    Told,
)
from service.reports.subjects import answering
from service.reports.turn import turn_page

__all__ = [
    "DRAWN",
    "About",
    "Answer",
    "Brief",
    "Figure",
    "Handled",
    "Page",
    "PageLook",
    "PutBy",
    "Result",
    "Said",
    "Scene",
    "Since",
    "Status",
    "Told",
    "answer_page",
    "answering",
    "answers",
    "away_page",
    "briefing_page",
    "confirm_page",
    "created_page",
    "ended_page",
    "fault_page",
    "faults_page",
    "foreign_page",
    "joined_page",
    "lobby_page",
    "misread",
    "news_page",
    "note_page",
    "opening_blocks",
    "receipt_page",
    "refused",
    "renewed_page",
    "round_page",
    "route_answers",
    "seated",
    "stranger_page",
    "turn_page",
    "unknown_page",
    "void_page",
    "welcome_page",
    "without_pictures",
]
