"""Ratings and records are gone, and with them the list of people who were left out of them."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The list is lost."""
    op.drop_table("unlisted")


def downgrade() -> None:
    """Nobody is left out."""
    op.create_table(
        "unlisted",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("address"),
    )
