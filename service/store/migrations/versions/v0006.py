"""When a seat was offered, and mails of players whose answer waits until their ration is new."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Seats of before have no time: their offer counts from the first look after them."""
    op.add_column("seat", sa.Column("offered", sa.BigInteger(), nullable=False, server_default="0"))
    op.create_table(
        "held",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("inbox_id", sa.Integer(), sa.ForeignKey("inbox.id"), nullable=False),
        sa.Column("about", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("inbox_id", name="held_inbox_id"),
    )
    op.create_index("held_due", "held", ["due"])


def downgrade() -> None:
    """Waiting answers are forgotten."""
    op.drop_table("held")
    op.drop_column("seat", "offered")
