"""What of a refused mail could be done, for its writer to say so."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Of mails that were refused before nothing is kept."""
    op.create_table(
        "partial",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("commands", sa.String(), nullable=False),
        sa.Column("fault", sa.String(), nullable=False),
        sa.Column("follows", sa.Integer(), nullable=False),
        sa.Column("mail", sa.Integer(), sa.ForeignKey("inbox.id"), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("game_id", "seat", name="partial_seat"),
    )


def downgrade() -> None:
    """It is forgotten."""
    op.drop_table("partial")
