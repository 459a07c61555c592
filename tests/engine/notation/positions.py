"""Positions of 18AL made by hand, to be read and written in."""

from msgspec.structs import replace

from engine.position.frames import (
    Auction,
    OperatingRound,
    OperatingTurn,
    PrivateTurn,
    Running,
    StockRound,
    StockTurn,
    Track,
    Trains,
)
from engine.position.values import MARKET, OFFERING, Round, State, Station, Token
from engine.titles.registry import load_title

TITLE = load_title("18AL")
SEATS = ("Ann", "Bob", "Cat")


def opening() -> State:
    """The first turn of a game: Ann's, while the bank has all privates."""
    trains = tuple(t.type for t in TITLE.facts.train for _ in range(t.count))
    return State(
        number=0,
        seats=SEATS,
        priority="Ann",
        round=Round("SR", 1),
        phase="1",
        stack=(StockRound("Ann"), PrivateTurn("Ann")),
        cash={**dict.fromkeys(SEATS, 600), **dict.fromkeys(TITLE.companies, 0), "bank": 6200},
        shares={c: {OFFERING: (20, *[10] * 8)} for c in TITLE.companies},
        presidents={},
        pars={},
        tokens=(),
        floated=(),
        turns={},
        trains={OFFERING: trains, MARKET: ()},
        privates=dict.fromkeys(TITLE.privates, OFFERING),
        spent=(),
        bids={},
        marks=(),
        tiles={},
        stations={},
        charters={c.id: c.tokens for c in TITLE.facts.company},
        sold={},
        insist=SEATS,
        earned={},
    )


def auction() -> State:
    """Bob and Ann bid for M&C; it is Ann's turn."""
    stack = (StockRound("Bob"), PrivateTurn("Bob"), Auction("M&C", "Ann", "Bob", 115))
    return replace(opening(), stack=stack)


def stock() -> State:
    """Ann's regular stock turn; she presides L&N, Bob M&O, and M&O has shares in the market."""
    return replace(
        opening(),
        round=Round("SR", 2),
        phase="3",
        stack=(StockRound("Ann"), StockTurn("Ann")),
        shares={
            **opening().shares,
            "L&N": {"Ann": (20, 10, 10), "Bob": (10, 10), OFFERING: (10,) * 4},
            "M&O": {"Bob": (20, 10, 10), MARKET: (10, 10), OFFERING: (10,) * 4},
            "WRA": {"Cat": (20, 10, 10, 10, 10), MARKET: (10,) * 4},
        },
        presidents={"L&N": "Ann", "M&O": "Bob", "WRA": "Cat"},
        pars={"L&N": 90, "M&O": 75, "WRA": 75},
        tokens=(Token("L&N", (0, 5)), Token("M&O", (1, 4)), Token("WRA", (1, 4))),
        floated=("L&N", "M&O"),
        turns={"L&N": 1, "M&O": 1},
        trains={
            OFFERING: ("3", "3", "4", "4", "4", "5", "5", "6", "7"),
            MARKET: ("2",),
            "L&N": ("2", "3"),
            "M&O": ("2",),
        },
        privates={"TR": "Ann", "S&NA": "L&N", "B&SLC": "L&N", "M&C": "Bob", "NDY": "L&N"},
        stations={"A4": (Station("L&N", 0),), "Q2": (Station("M&O", 0),)},
        tiles={"B3": ("9", 0), "C4": ("57", 0)},
        charters={**opening().charters, "L&N": 3, "M&O": 3},
        cash={**opening().cash, "L&N": 900, "M&O": 400, "bank": 4900},
    )


def operating(step: str = "track") -> State:
    """L&N's operating turn, Ann presiding, at a step of it."""
    steps = {"track": Track("L&N"), "run": Running("L&N"), "trains": Trains("L&N")}
    at = TITLE.facts.turn.index(step) + 1
    stack = (OperatingRound(paid=True), OperatingTurn("L&N", at), steps[step])
    return replace(stock(), round=Round("OR", 2, 1, 2), stack=stack)
