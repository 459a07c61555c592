"""Orders given ahead, and what becomes of them."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Two tables more; nobody has given an order yet."""
    op.create_table(
        "standing_order",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("given", sa.Integer(), nullable=False),
        sa.Column("round_kind", sa.String(), nullable=False),
        sa.Column("round_number", sa.Integer(), nullable=False),
        sa.Column("round_part", sa.Integer(), nullable=False),
        sa.Column("salt", sa.String(), nullable=False),
        sa.Column("seal", sa.String(), nullable=False),
        sa.Column("occasion_id", sa.Integer(), sa.ForeignKey("occasion.id"), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("game_id", "seat", "number", name="order_number"),
    )
    op.create_table(
        "order_state",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("order_id", sa.Integer(), sa.ForeignKey("standing_order.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("struck", sa.Boolean(), nullable=False),
        sa.Column("occasion_id", sa.Integer(), sa.ForeignKey("occasion.id"), nullable=False),
    )
    op.create_index("order_state_order", "order_state", ["order_id"])


def downgrade() -> None:
    """Orders are forgotten; nothing that was done by them is."""
    op.drop_table("order_state")
    op.drop_table("standing_order")
