"""Writes files of a played game: maps, log, and a page with everybody's last turn email."""

import base64
from collections.abc import Iterable, Sequence
from email.message import EmailMessage
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from engine.telling.showing import view
from service.games.games import GameTable
from service.resources import folder as resource
from service.store import ActionRow
from service.workshop.demo.troupe import Player, is_turn, text_part


def write_gallery(
    folder: Path, players: Iterable[Player], table: GameTable, rows: Sequence[ActionRow]
) -> int:
    """Write maps, log and index.html; return the number of maps."""
    everybody = list(players)
    maps = _write_maps(folder / "maps", everybody[0])
    log = "\n".join(f"{row.number:4}  {row.seat}: {row.text}" for row in rows if row.seat)
    (folder / "log.txt").write_text(log + "\n", encoding="utf-8")
    environment = Environment(
        loader=FileSystemLoader(resource("templates")), autoescape=True, undefined=StrictUndefined
    )
    ranking = view(table.title, table.state).ranked()
    page = environment.get_template("page/gallery.html.j2").render(
        game=table.row.name,
        title=table.title.name,
        subtitle=table.title.facts.subtitle,
        over=table.row.status == "ended",
        ranking=ranking,
        actions=sum(bool(row.seat) for row in rows),
        mails=[_shown(player) for player in everybody],
        maps=[path.relative_to(folder).as_posix() for path in maps],
    )
    (folder / "index.html").write_text(page, encoding="utf-8")
    return len(maps)


def _shown(player: Player) -> dict[str, str]:
    """A player's last turn email as a mail program shows it."""
    turns = [mail for mail in player.mails if is_turn(mail)]
    mail = turns[-1] if turns else player.mails[-1]
    return {
        "player": player.name,
        "count": str(len(player.mails)),
        "from": str(mail["From"]),
        "to": str(mail["To"]),
        "subject": str(mail["Subject"]),
        "date": str(mail["Date"]),
        "html": html_with_pictures(mail),
        "text": text_part(mail),
    }


def html_with_pictures(mail: EmailMessage) -> str:
    """The HTML part with its pictures inlined."""
    part = mail.get_body(("html",))
    html = part.get_content() if part is not None else ""
    for found in mail.walk():
        cid = str(found["Content-ID"] or "").strip("<>")
        if cid:
            payload = found.get_payload(decode=True)
            data = base64.b64encode(payload if isinstance(payload, bytes) else b"").decode()
            html = html.replace(f"cid:{cid}", f"data:{found.get_content_type()};base64,{data}")
    return html


def _write_maps(folder: Path, player: Player) -> list[Path]:
    """Write the different maps that a player got, in order, named by the email's subject."""
    folder.mkdir(parents=True, exist_ok=True)
    seen: set[bytes] = set()
    found: list[Path] = []
    for mail in player.mails:
        for part in mail.walk():
            name = part.get_filename() or ""
            data = part.get_payload(decode=True)
            if "map" not in name or not isinstance(data, bytes) or data in seen:
                continue
            seen.add(data)
            path = folder / f"{len(found) + 1:03}-{_plain(str(mail['Subject']))}.png"
            path.write_bytes(data)
            found.append(path)
    return found


def _plain(subject: str) -> str:
    words = "".join(c if c.isalnum() or c in ".-" else " " for c in subject.split("]")[-1])
    return "-".join(words.split())[:40]
