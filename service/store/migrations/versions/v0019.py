"""The mailing lists of games."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """No game of an older version has one."""
    op.create_table(
        "game_list",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False, unique=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("pictures", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("root", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("status IN ('named', 'greeted', 'on')", name="status_known"),
        sa.CheckConstraint("pictures IN ('attached', 'small', 'off')", name="pictures_known"),
    )
    op.create_index("game_list_name", "game_list", ["name"])


def downgrade() -> None:
    """The games go on without."""
    op.drop_index("game_list_name", "game_list")
    op.drop_table("game_list")
