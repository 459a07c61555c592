"""What is looked for each day or with each email is found without reading all that ever was."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

_INDEXES = (
    ("outbox_game", "outbox", ("game", "kind", "created"), ""),
    ("outbox_untold", "outbox", ("id",), "status = 'failed' AND told IS NULL"),
    ("outbox_whole", "outbox", ("created",), "length(raw) > 8"),
    ("picture_used", "picture", ("used",), ""),
    ("game_status", "game", ("status",), ""),
    ("game_ended", "game", ("ended",), ""),
    ("reply_guard_at", "reply_guard", ("at",), ""),
    ("work_at", "work", ("at",), ""),
    ("further_address_address", "further_address", ("address",), ""),
    ("tournament_ended", "tournament", ("ended",), ""),
    ("put_by_due", "put_by", ("due",), ""),
)


def upgrade() -> None:
    """Only indexes are added."""
    for name, table, columns, which in _INDEXES:
        where = sa.text(which) if which else None
        op.create_index(name, table, columns, sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    """Only indexes are dropped."""
    for name, table, *_ in _INDEXES:
        op.drop_index(name, table)
