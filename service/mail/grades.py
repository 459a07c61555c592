"""How much proof of the sender a game may ask for. It knows no email.

`proving.py` says which emails have this proof.
"""

from typing import Literal

Grade = Literal["friendly", "standard", "tournament"]
GRADES: tuple[Grade, ...] = ("friendly", "standard", "tournament")

#: the requirement of each grade, as players and organizers read it
ASKS: dict[Grade, str] = {
    "friendly": "an email counts from your registered address, or to your seat address",
    "standard": "an email counts from your registered address to your seat address, or from "
    "that address with your mail server's signature",
    "tournament": "an email counts from your registered address to your seat address "
    "with your "
    "mail server's signature; where your server does not sign, with your pass phrase",
}
