"""Work that the questions of senders made, by which it is rationed."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One table more."""
    op.create_table(
        "work",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("spent", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("work_address", "work", ["address", "at"])


def downgrade() -> None:
    """Without it nothing is rationed, and nothing else is lost."""
    op.drop_table("work")
