"""The settings of the public web pages: their folder and their address."""

import re
from typing import Self

from pydantic import PositiveInt, model_validator

from service.limits import Section, key


class PublishSection(Section):
    """The public web pages of the games."""

    folder: str = key(
        "",
        "A folder that a web server shows; Waybill keeps the pages in it up to date. Empty: none.",
    )
    address: str = key(
        "",
        "The web address of that folder, such as https://games.example.org/18xx/; empty: "
        "pages and emails name no addresses of pages.",
    )

    seconds: PositiveInt = key(60, "Seconds between looks for games whose pages have changed.")

    @model_validator(mode="after")
    def _web_address(self) -> Self:
        if self.address and not re.fullmatch(r"https?://[^\s/?#@]+(?:/[^\s?#]*)?", self.address):
            raise ValueError(f"address is not one of the web: {self.address}")
        return self

    @property
    def base(self) -> str:
        """The address of the pages with a final slash; "" if none is set."""
        return f"{self.address.rstrip('/')}/" if self.address else ""
