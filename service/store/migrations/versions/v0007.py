"""Tokens of organisers can be renewed; which mail made a token void."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Organisers begin with the epoch that their addresses have had so far."""
    op.add_column("game", sa.Column("epoch", sa.Integer(), nullable=False, server_default="0"))
    for table in ("game", "seat"):
        op.add_column(table, sa.Column("renewed_by", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Addresses of organisers that were renewed are the first ones again."""
    for table in ("seat", "game"):
        op.drop_column(table, "renewed_by")
    op.drop_column("game", "epoch")
