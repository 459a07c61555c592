"""Exported games for tests, written as 18xx.games writes them: small ones, and games of bots."""

import json
from functools import cache

from service.exchange.export import export
from service.exchange.verify import ExportedGame, replay
from tests import games

PLAYERS = [{"id": 11, "name": "Ann"}, {"id": 22, "name": "Bob Lee"}, {"id": 33, "name": "Cid"}]


def numbered(*actions):
    """Actions with ids from 1 on."""
    return [{"id": number, **action} for number, action in enumerate(actions, 1)]


def exported(*actions, **more):
    """A game of three with these actions."""
    return {"title": "18AL", "players": PLAYERS, "actions": numbered(*actions), **more}


def played(*actions):
    """The last position and our actions of such a game."""
    return replay(ExportedGame(exported(*actions)))


def bid(who, company, price):
    return {
        "type": "bid", "entity": who, "entity_type": "player", "company": company, "price": price,
    }  # fmt: skip


def passes(*players):
    return [{"type": "pass", "entity": who, "entity_type": "player"} for who in players]


#: all private companies are sold, Ann is next
SOLD = (
    bid(11, "TR", 20),
    bid(22, "SNAR", 40),
    bid(33, "BLC", 70),
    bid(11, "M&C", 100),
    bid(22, "NDY", 120),
    *passes(33),
)


def par(who, company, price):
    return {
        "type": "par", "entity": who, "entity_type": "player", "corporation": company,
        "share_price": f"{price},0,6",
    }  # fmt: skip


def buy(who, share):
    return {"type": "buy_shares", "entity": who, "entity_type": "player", "shares": [share]}


@cache
def plain_text(name):
    game = games.game(f"exchange/{name}")
    return json.dumps(export(game.title, game.states[0].seats, enumerate(game.actions, 1), "x"))


def plain(sample):
    return json.loads(plain_text(sample))


def with_log(file, log):
    return ExportedGame(json.loads(json.dumps({**file, "actions": log})))
