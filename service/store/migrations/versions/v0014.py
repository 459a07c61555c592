"""Clocks of seats, spans of time that do not count, and a sign of life of the service."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Three tables more. Games that run have no clock, and get none by this."""
    op.create_table(
        "uncounted",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=True),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("begins", sa.BigInteger(), nullable=False),
        sa.Column("ends", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
    )
    op.create_index("uncounted_game", "uncounted", ["game_id", "seat"])
    op.create_table(
        "clock",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("bank", sa.BigInteger(), nullable=False),
        sa.Column("credited", sa.String(), nullable=False),
        sa.Column("decision", sa.String(), nullable=False),
        sa.Column("asked", sa.BigInteger(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("quiet", sa.String(), nullable=False),
        sa.Column("extra", sa.BigInteger(), nullable=False),
        sa.Column("corrected", sa.Boolean(), nullable=False),
        sa.Column("reminded", sa.Integer(), nullable=False),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        sa.Column("misses", sa.Integer(), nullable=False),
        sa.UniqueConstraint("game_id", "seat", name="clock_seat"),
    )
    op.create_table(
        "heartbeat",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    """Nothing has a time any more; what was waited for is waited for still."""
    op.execute("UPDATE waiting SET due = NULL")
    for table in ("heartbeat", "clock", "uncounted"):
        op.drop_table(table)
