"""People beside those who have the seats: standbys, deputies, former players; seats that wait."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Three tables more; who had a seat before is not known of seats that were moved before."""
    op.create_table(
        "volunteer",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("asked", sa.BigInteger(), nullable=False),
        sa.Column("agreed", sa.BigInteger(), nullable=True),
        sa.Column("begins", sa.BigInteger(), nullable=False),
        sa.Column("ends", sa.BigInteger(), nullable=True),
        sa.UniqueConstraint("game_id", "kind", "seat", "address", name="volunteer_once"),
    )
    op.create_table(
        "vacancy",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("game_id", "seat", name="vacancy_seat"),
    )
    op.create_table(
        "former",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("answered", sa.Boolean(), nullable=False),
        sa.UniqueConstraint("game_id", "seat", "epoch", name="former_epoch"),
    )


def downgrade() -> None:
    """They are forgotten."""
    for table in ("former", "vacancy", "volunteer"):
        op.drop_table(table)
