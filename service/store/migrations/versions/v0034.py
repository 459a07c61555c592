"""What waits can be read in the order in which it is claimed."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

_OVER = ("done", "ignored", "duplicate", "shunted", "sent", "failed")
_ORDERS = {"inbox": ["id"], "outbox": ["id"], "task": ["due", "id"]}


def upgrade() -> None:
    """No data changes."""
    for table, order in _ORDERS.items():
        where = sa.text(f"status NOT IN {_OVER}")
        op.create_index(
            f"{table}_unsettled", table, order, sqlite_where=where, postgresql_where=where
        )


def downgrade() -> None:
    """No data changes."""
    for table in _ORDERS:
        op.drop_index(f"{table}_unsettled", table)
