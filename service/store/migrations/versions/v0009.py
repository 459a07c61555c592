"""Commands that wait for the answer to a question."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One table more; questions that are open have nothing waiting behind them."""
    op.create_table(
        "ahead",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("commands", sa.String(), nullable=False),
        sa.Column("keep_open", sa.Boolean(), nullable=False),
        sa.Column("question", sa.String(), nullable=False),
        sa.Column("turn", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("occasion_id", sa.Integer(), sa.ForeignKey("occasion.id"), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("game_id", "seat", name="ahead_seat"),
    )


def downgrade() -> None:
    """What waits is forgotten; the game waits for the answer all the same."""
    op.drop_table("ahead")
