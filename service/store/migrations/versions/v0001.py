"""The first tables.

Versions spell types and names out and import nothing of the project: they must go on meaning what
they meant when they were written. A test compares their outcome with ``service.store.tables``.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=False)


def _time(name: str, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def _count(name: str, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=nullable)


def _bytes(name: str, nullable: bool = False) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary(), nullable=nullable)


def _key() -> sa.Column[int]:
    return sa.Column("id", sa.Integer(), primary_key=True)


def _points_at(name: str, table: str, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), sa.ForeignKey(f"{table}.id"), nullable=nullable)


def _status(*allowed: str) -> sa.CheckConstraint:
    listed = ", ".join(f"'{word}'" for word in allowed)
    return sa.CheckConstraint(f"status IN ({listed})", name="status_known")


def upgrade() -> None:
    """From nothing to the first tables."""
    _mail_tables()
    _game_tables()
    _house_tables()


def _mail_tables() -> None:
    op.create_table(
        "inbox",
        _key(),
        _text("account"),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        _text("message_id"),
        _text("sha256"),
        _bytes("raw"),
        _time("received"),
        _text("sender"),
        _text("game"),
        _text("status"),
        _text("worker"),
        _time("lease"),
        _count("tries"),
        _text("note"),
        _time("kept"),
        sa.UniqueConstraint("account", "uidvalidity", "uid", name="inbox_uid"),
        sa.UniqueConstraint("sha256", name="inbox_sha256"),
        _status("new", "working", "done", "ignored", "duplicate", "shunted"),
    )
    op.create_index("inbox_message_id", "inbox", ["message_id"])
    op.create_index("inbox_lane", "inbox", ["status", "game", "id"])
    op.create_table(
        "outbox",
        _key(),
        _text("key"),
        _text("game"),
        _text("kind"),
        _text("recipient"),
        _text("mail_from"),
        _bytes("raw"),
        _text("message_id"),
        _text("status"),
        _text("worker"),
        _time("lease"),
        _count("tries"),
        _time("next_try"),
        _text("note"),
        _time("created"),
        _time("sent", nullable=True),
        sa.UniqueConstraint("key", name="outbox_key"),
        _status("new", "working", "sent", "failed"),
    )
    op.create_index("outbox_due", "outbox", ["status", "next_try"])
    op.create_index("outbox_recipient", "outbox", ["recipient", "game"])


def _game_tables() -> None:
    op.create_table(
        "game",
        _key(),
        _text("name"),
        _text("title"),
        _bytes("title_data"),
        _bytes("settings"),
        _text("status"),
        _count("head", nullable=True),
        _text("organiser"),
        _time("created"),
        _time("ended", nullable=True),
        sa.UniqueConstraint("name", name="game_name"),
        sa.CheckConstraint("name = lower(name) AND name <> ''", name="name_is_slug"),
        _status("open", "running", "ended", "abandoned"),
    )
    op.create_table(
        "seat",
        _key(),
        _points_at("game_id", "game"),
        _text("name"),
        _text("address"),
        _text("address_key"),
        _count("epoch"),
        _count("position"),
        _text("status"),
        _bytes("settings"),
        sa.UniqueConstraint("game_id", "name", name="seat_name"),
        _status("invited", "joined"),
    )
    op.create_index("seat_address_key", "seat", ["address_key"])
    op.create_table(
        "action",
        _key(),
        _points_at("game_id", "game"),
        _points_at("parent", "action", nullable=True),
        _count("number"),
        _text("seat"),
        _text("text"),
        _bytes("action"),
        _bytes("events"),
        _count("rules"),
        _text("digest"),
        _bytes("snapshot", nullable=True),
        _points_at("inbox_id", "inbox", nullable=True),
        _count("line"),
        _time("at"),
        sa.UniqueConstraint("game_id", "number", name="action_number"),
        sa.UniqueConstraint("inbox_id", "line", "game_id", name="action_of_mail"),
    )
    op.create_table(
        "talk",
        _key(),
        _points_at("game_id", "game"),
        _text("seat"),
        _text("text"),
        _count("number"),
        _time("at"),
    )
    op.create_index("talk_game", "talk", ["game_id", "number"])


def _house_tables() -> None:
    op.create_table("reply_guard", _key(), _text("address"), _text("kind"), _time("at"))
    op.create_index("reply_guard_address", "reply_guard", ["address", "kind", "at"])
    op.create_table("meta", sa.Column("key", sa.String(), primary_key=True), _text("value"))


def downgrade() -> None:
    """From the first tables to nothing; children go before what they name."""
    for table in ("meta", "reply_guard", "talk", "action", "seat", "game", "outbox", "inbox"):
        op.drop_table(table)
