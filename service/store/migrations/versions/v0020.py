"""How far an order has come in a turn that waits for an answer, and who was silent in a vote."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """No order of before is within a turn; of votes that are over nobody is told as silent."""
    op.add_column("order_state", sa.Column("part", sa.String(), nullable=False, server_default=""))
    op.add_column("vote", sa.Column("silent", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """An order that waits within a turn begins its turn anew."""
    for name, column in (("order_state", "part"), ("vote", "silent")):
        with op.batch_alter_table(name) as table:
            table.drop_column(column)
