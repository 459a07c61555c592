"""Tasks and letters have a rank, and games whose names look alike are found by an index."""

import re

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

_OVER = ("done", "ignored", "duplicate", "shunted", "sent", "failed")
_LATER = "('digest', 'sum-up', 'observers', 'put-by', 'tournament-put-by')"
_FIRST = "('trouble', 'turn', 'request', 'briefing')"
_LIVE = ("open", "running")
#: names have only small letters, digits and hyphens; what looks like something else
_LOOKS = str.maketrans({"m": "rn", "w": "vv", "0": "o", "1": "l", "-": ""})


def upgrade() -> None:
    """What is over is not looked for, so it keeps the values of new columns."""
    for table, rank in (("task", 0), ("outbox", 1)):
        op.add_column(
            table, sa.Column("rank", sa.Integer(), nullable=False, server_default=f"{rank}")
        )
    op.execute(f"UPDATE task SET rank = 1 WHERE kind IN {_LATER} AND status <> 'done'")
    op.execute(f"UPDATE outbox SET rank = 0 WHERE kind IN {_FIRST} AND status <> 'sent'")
    _unsettled("task", "rank", "due", "id")
    _unsettled("outbox", "rank", "next_try", "id")
    op.add_column("game", sa.Column("look", sa.String(), nullable=False, server_default=""))
    change = sa.text("UPDATE game SET look = :look WHERE id = :id")
    names = sa.text(f"SELECT id, name FROM game WHERE status IN {_LIVE}")
    for number, name in op.get_bind().execute(names).all():
        look = re.sub(r"\band\b", "", name).translate(_LOOKS)
        op.get_bind().execute(change, {"id": number, "look": look})
    where = sa.text(f"status IN {_LIVE}")
    op.create_index("game_look", "game", ["look"], sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    """No data is lost."""
    op.drop_index("game_look", "game")
    with op.batch_alter_table("game") as table:
        table.drop_column("look")
    _unsettled("task", "due", "id")
    _unsettled("outbox", "id")
    for name in ("task", "outbox"):
        with op.batch_alter_table(name) as table:
            table.drop_column("rank")


def _unsettled(table: str, *order: str) -> None:
    """Make the index of what is not settled again, in this order."""
    name, where = f"{table}_unsettled", sa.text(f"status NOT IN {_OVER}")
    op.drop_index(name, table)
    op.create_index(name, table, order, sqlite_where=where, postgresql_where=where)
