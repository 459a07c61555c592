"""Makes of README.md the page of a package index, and names the repository that was built.

On that page, links into this folder lead nowhere. The address of the repository is that of its
clone, so a copy names itself.
"""

import re
import subprocess
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE = re.compile(r"<img [^>]*>\n*")
_COMMENT = re.compile(r"<!--.*?-->\n*", re.DOTALL)
#: as git has it: https://host/path.git, ssh://git@host/path.git or git@host:path.git
_ORIGIN = re.compile(
    r"(?:https://|ssh://|(?!\w+://))(?:[\w.-]+@)?(?P<host>[\w.-]+\.\w+)(?::|/)(?P<path>[\w./-]+?)"
    r"(?:\.git)?/?"
)
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:)[^)]*\)")


def page(text: str) -> str:
    """The text without its pictures and comments, and with the words alone of links within."""
    return _LINK.sub(r"\1", _COMMENT.sub("", _PICTURE.sub("", text)))


def repository(origin: str) -> str:
    """The web address of a repository that git clones from ``origin``; "" for a folder."""
    found = _ORIGIN.fullmatch(origin)
    return f"https://{found['host']}/{found['path']}" if found else ""


def _origin(root: str) -> str:
    """Where git has cloned this folder from; "" without git, or if it is no clone."""
    call = ["git", "-C", root, "config", "--get", "remote.origin.url"]
    try:
        return subprocess.run(call, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


class PageAndAddress(MetadataHookInterface):
    """Gives the project its page and its address (called by hatchling)."""

    def update(self, metadata: dict[str, object]) -> None:
        """Add the keys `readme` and, for a clone from the web, `urls`."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": page(text)}
        if address := repository(_origin(self.root)):
            metadata["urls"] = {"Repository": address}
