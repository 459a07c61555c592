"""Tournaments: their logs, the addresses of entrants, their boards; who is left out of lists."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """There are none of an older version."""
    op.create_table(
        "tournament",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(), nullable=False, unique=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=False),
    )
    owner = "tournament.id"
    op.create_table(
        "tournament_act",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("tournament_id", sa.Integer(), sa.ForeignKey(owner), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("because", sa.String(), nullable=False),
        sa.Column("occasion_id", sa.Integer(), sa.ForeignKey("occasion.id"), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("tournament_id", "number", name="tournament_act_number"),
    )
    op.create_table(
        "tournament_address",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("tournament_id", sa.Integer(), sa.ForeignKey(owner), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("entrant", sa.String(), nullable=False),
        sa.UniqueConstraint("tournament_id", "address", name="tournament_address_once"),
    )
    op.create_index("tournament_address_address", "tournament_address", ["address"])
    op.create_table(
        "tournament_board",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("tournament_id", sa.Integer(), sa.ForeignKey(owner), nullable=False),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False, unique=True),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("adjudicate", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("tournament_id", "round", "board", name="tournament_board_place"),
    )
    op.create_table(
        "unlisted",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("address", sa.String(), nullable=False, unique=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    """Their games go on as games of their own."""
    op.drop_index("tournament_address_address", "tournament_address")
    for name in ("unlisted", "tournament_board", "tournament_address", "tournament_act"):
        op.drop_table(name)
    op.drop_table("tournament")
