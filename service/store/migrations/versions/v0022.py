"""Who watches a game by mail without playing in it."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody watches a game of an older version."""
    op.create_table(
        "observer",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("asked", sa.BigInteger(), nullable=False),
        sa.Column("agreed", sa.BigInteger(), nullable=True),
        sa.Column("page", sa.String(), nullable=False),
        sa.Column("settings", sa.LargeBinary(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.UniqueConstraint("game_id", "address", name="observer_once"),
    )


def downgrade() -> None:
    """They watch no more, and are not told so."""
    op.drop_table("observer")
