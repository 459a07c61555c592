"""The version of the running Waybill, and its commit if that is known."""

import json
import os
import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path


def running() -> str:
    """The version, such as "0.2.0" or "0.2.0 (a813b5d4)"."""
    try:
        installed = distribution("waybill")
    except PackageNotFoundError:
        return "unknown"
    mark = os.environ.get("WAYBILL_COMMIT", "") or _commit(installed.read_text("direct_url.json"))
    return f"{installed.version} ({mark[:8]})" if mark else installed.version


def _commit(origin: str | None) -> str:
    """The installed commit (PEP 610), or the commit of the checkout."""
    about = json.loads(origin) if origin else {}
    if noted := about.get("vcs_info", {}).get("commit_id"):
        return str(noted)
    if not about.get("dir_info", {}).get("editable"):
        return ""
    return _head(Path(__file__).parents[1])


def _head(checkout: Path) -> str:
    """The commit of a git checkout, read without git; "" if there is none."""
    git = checkout / ".git"
    try:
        if git.is_file():  # of a further worktree
            git = Path(git.read_text().partition("gitdir:")[2].strip())
        head = (git / "HEAD").read_text().strip()
        if re.fullmatch(r"[0-9a-f]{40,64}", head):
            return head
        name = head.removeprefix("ref:").strip()
        noted = git / "commondir"
        common = (git / noted.read_text().strip()) if noted.is_file() else git
        if (common / name).is_file():
            return (common / name).read_text().strip()
        packed = (common / "packed-refs").read_text()
        found = re.search(rf"^([0-9a-f]{{40,64}}) {re.escape(name)}$", packed, re.M)
        return found[1] if found else ""
    except OSError:
        return ""
