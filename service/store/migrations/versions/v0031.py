"""Emails held for confirmation may be those of a tournament."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """All emails held so far are those of a game."""
    with op.batch_alter_table("put_by") as table:
        table.alter_column("game_id", existing_type=sa.Integer(), nullable=True)
        table.add_column(sa.Column("tournament_id", sa.Integer(), nullable=True))
        table.create_foreign_key("put_by_tournament_id", "tournament", ["tournament_id"], ["id"])
        table.create_index("put_by_tournament", ["tournament_id", "holder"])


def downgrade() -> None:
    """Emails of tournaments are no longer held; the emails themselves stay."""
    op.execute("DELETE FROM put_by WHERE game_id IS NULL")
    with op.batch_alter_table("put_by") as table:
        table.drop_index("put_by_tournament")
        table.drop_constraint("put_by_tournament_id", type_="foreignkey")
        table.drop_column("tournament_id")
        table.alter_column("game_id", existing_type=sa.Integer(), nullable=False)
