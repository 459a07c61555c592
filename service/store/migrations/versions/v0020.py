"""How far an order has come within a turn that waits for an answer."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """No order of before is within a turn."""
    op.add_column("order_state", sa.Column("part", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """An order that waits within a turn begins its turn anew."""
    with op.batch_alter_table("order_state") as table:
        table.drop_column("part")
