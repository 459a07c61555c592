"""What is over is found by its time, changed games by a mark, and causes by an index."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

#: the tables whose rows name their occasion and had no index for it
_CAUSED = (
    "ahead",
    "ballot",
    "offer",
    "order_state",
    "ruling",
    "standing_order",
    "tournament_act",
    "vote",
)
_WHOLE = sa.text("length(raw) > 8")


def upgrade() -> None:
    """No data changes."""
    changed = sa.Column("changed", sa.Integer(), nullable=False, server_default="0")
    op.add_column("game", changed)
    op.create_index("game_changed", "game", ["changed"])
    for table in _CAUSED:
        op.create_index(f"{table}_occasion", table, ["occasion_id"])
    op.create_index("occasion_at", "occasion", ["at"])
    op.create_index("outbox_created", "outbox", ["created"])
    op.drop_index("outbox_whole", "outbox")
    op.create_index("inbox_whole", "inbox", ["kept"], sqlite_where=_WHOLE, postgresql_where=_WHOLE)


def downgrade() -> None:
    """No data changes."""
    op.drop_index("inbox_whole", "inbox")
    op.create_index(
        "outbox_whole", "outbox", ["created"], sqlite_where=_WHOLE, postgresql_where=_WHOLE
    )
    op.drop_index("outbox_created", "outbox")
    op.drop_index("occasion_at", "occasion")
    for table in _CAUSED:
        op.drop_index(f"{table}_occasion", table)
    op.drop_index("game_changed", "game")
    with op.batch_alter_table("game") as game:
        game.drop_column("changed")
