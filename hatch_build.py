"""Makes of README.md the page of a package index: there, links into this folder lead nowhere."""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE = re.compile(r"<img [^>]*>\n*")
_COMMENT = re.compile(r"<!--.*?-->\n*", re.DOTALL)
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:)[^)]*\)")


def page(text: str) -> str:
    """The text without its pictures and comments, and with the words alone of links within."""
    return _LINK.sub(r"\1", _COMMENT.sub("", _PICTURE.sub("", text)))


class Readme(MetadataHookInterface):
    """Gives the project its page (called by hatchling)."""

    def update(self, metadata: dict[str, object]) -> None:
        """Add the key `readme`."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": page(text)}
