"""Emails with orders that are cut off, misspelt, or repeat one word until the line is full."""

from random import Random

from engine import Title
from service.orders.building import Names
from service.orders.writing import write
from service.workshop.practice.hostile import Hostile, mail
from service.workshop.practice.random_orders import RandomOrders, misspelt
from service.workshop.practice.written_orders import OrderWriter

#: repeated parts of a line, and texts that may be before it
_REPEATED = (
    "use ferry ", "if alarm ", "if ", "not ", "( ", "pass, ", "then pass ", "else pass ", "a ",
    "Bob ", "until ", "or ", "up to 1 ", "bid x up to ", "sell 2 L&N, ", "1 L&N,", ", ", "and ",
    "for round ", "rest of ", "cash me > 1 ", "shares me L&N >= ", "vote yes on a ",
    "offers from ", "L&N: ", "with ", "routes ", "please ", "- ", "é", "1,", "99999",
)  # fmt: skip
_BEGUN = (
    "", "next: ", "standing ", "always ", "L&N: ", "if ", "pass if ", "pass until ",
    "operate L&N: ",
)  # fmt: skip
_MOST = 40


def order_mail(dice: Random, title: Title, seats: tuple[str, ...], sender: str, to: str) -> Hostile:
    """An email of a player with lines that are like orders."""
    names = Names(title, seats)
    seed = dice.randrange(1 << 30)
    made, writer = RandomOrders(names, seed, every=True), OrderWriter(names, seed)
    lines = []
    for _ in range(dice.choice((1, 1, 2, 5, _MOST))):
        order = made.order()
        text = dice.choice((write(order), writer.order(order)))
        match dice.randrange(4):
            case 0:
                text = text[: dice.randrange(len(text) + 1)]
            case 1 | 2:
                text = next(misspelt(text, dice))
            case _:
                repeated = dice.choice(_REPEATED)
                text = (dice.choice(_BEGUN) + repeated * 2000)[: dice.choice((60, 400, 1999))]
        lines.append(text)
    lines += dice.choice(([], ["clear all"], ["orders"], ["explain"]))
    body = "\r\n" + "\r\n".join(lines) + "\r\n"
    return Hostile("orders", mail(sender, to, f"orders.{seed}", body.encode()), "orders")
