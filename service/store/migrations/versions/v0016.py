"""What directors have ruled, and what players have disputed."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One table more. Games that run have no rulings yet."""
    op.create_table(
        "ruling",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("about", sa.Integer(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("because", sa.String(), nullable=False),
        sa.Column("before", sa.Integer(), nullable=False),
        sa.Column("after", sa.Integer(), nullable=False),
        sa.Column("lost", sa.String(), nullable=False),
        sa.Column("struck", sa.Boolean(), nullable=False),
        sa.Column("occasion_id", sa.Integer(), sa.ForeignKey("occasion.id"), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("game_id", "number", name="ruling_number"),
    )


def downgrade() -> None:
    """What was ruled stands; that it was is forgotten."""
    op.drop_table("ruling")
