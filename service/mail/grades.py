"""How much proof of who wrote a game may ask for; knows no mail.

`proving.py` says which mails have it.
"""

from typing import Literal

Grade = Literal["friendly", "standard", "tournament"]
GRADES: tuple[Grade, ...] = ("friendly", "standard", "tournament")

#: what each grade asks for, as players and organisers are told
ASKS: dict[Grade, str] = {
    "friendly": "an email counts from your registered address, or to your seat's own address",
    "standard": "an email counts from your registered address to your seat's own address, or from "
    "that address with your mail server's signature",
    "tournament": "an email counts from your registered address to your seat's own address "
    "with your "
    "mail server's signature; where your server does not sign, with your pass phrase",
}
