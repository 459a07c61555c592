"""How many letters went out lately is counted: an index over the times at which they did."""

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing that is stored changes."""
    op.create_index("outbox_sent", "outbox", ["sent"])


def downgrade() -> None:
    """Nothing that is stored changes."""
    op.drop_index("outbox_sent", "outbox")
