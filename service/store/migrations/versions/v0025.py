"""Copies of a mail that bear another Message-ID are known by what is signed of them."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Mails of before are known by their Message-ID alone."""
    op.add_column("inbox", sa.Column("words", sa.String(), nullable=False, server_default=""))
    op.create_index("inbox_words", "inbox", ["words"])


def downgrade() -> None:
    """Copies are known by their Message-ID again."""
    op.drop_index("inbox_words", "inbox")
    with op.batch_alter_table("inbox") as table:
        table.drop_column("words")
