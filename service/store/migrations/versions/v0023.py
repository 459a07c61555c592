"""Forums on which games are played, whose name there is whose, and pictures for lists as links."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """No game of an older version has a forum; lists go on with the pictures that they have."""
    op.create_table(
        "forum",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False, unique=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("reply_to", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("status IN ('named', 'on')", name="forum_status_known"),
    )
    op.create_index("forum_topic", "forum", ["host", "topic"])
    op.create_table(
        "forum_name",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("game_id", "seat", name="forum_name_seat"),
    )
    op.add_column(
        "game_list",
        sa.Column("links", sa.Boolean(), nullable=False, server_default=sa.false()),
    )


def downgrade() -> None:
    """Nothing goes to forums any more; lists that had links have small pictures."""
    with op.batch_alter_table("game_list") as table:
        table.drop_column("links")
    op.drop_table("forum_name")
    op.drop_index("forum_topic", "forum")
    op.drop_table("forum")
