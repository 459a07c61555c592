"""Numbered proposals, votes, and what is done where a proposal is turned down."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Three tables more. A proposal that is open already has no number, and needs none."""
    op.create_table(
        "offer",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("asked", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("counters", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("closed", sa.Integer(), nullable=False),
        sa.Column("occasion_id", sa.Integer(), sa.ForeignKey("occasion.id"), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("game_id", "number", name="offer_number"),
    )
    op.create_table(
        "vote",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("about", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("opened", sa.Integer(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("closed", sa.Integer(), nullable=False),
        sa.Column("occasion_id", sa.Integer(), sa.ForeignKey("occasion.id"), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("game_id", "number", name="vote_number"),
    )
    op.create_table(
        "ballot",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("vote_id", sa.Integer(), sa.ForeignKey("vote.id"), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("yes", sa.Boolean(), nullable=False),
        sa.Column("occasion_id", sa.Integer(), sa.ForeignKey("occasion.id"), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("vote_id", "seat", name="ballot_seat"),
    )
    column = sa.Column("instead", sa.String(), nullable=False, server_default="")
    op.add_column("ahead", column)


def downgrade() -> None:
    """Who has proposed what is forgotten; what was agreed on stands."""
    with op.batch_alter_table("ahead") as ahead:
        ahead.drop_column("instead")
    for table in ("ballot", "vote", "offer"):
        op.drop_table(table)
