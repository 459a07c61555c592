"""What a mail put by says, and when its owner was told of it."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Owners were told at once of mails that wait already, or of none."""
    for name in ("at", "weight"):
        number = sa.Column(name, sa.BigInteger(), nullable=False, server_default="0")
        op.add_column("put_by", number)
    for name in ("sender", "says"):
        text = sa.Column(name, sa.String(), nullable=False, server_default="")
        op.add_column("put_by", text)
    op.add_column("put_by", sa.Column("told", sa.BigInteger(), nullable=True, server_default="0"))
    op.create_index("put_by_holder", "put_by", ["game_id", "holder"])


def downgrade() -> None:
    """Mails of which nobody was told yet can be confirmed by nobody."""
    op.drop_index("put_by_holder", "put_by")
    with op.batch_alter_table("put_by") as table:
        for name in ("at", "weight", "told", "sender", "says"):
            table.drop_column(name)
