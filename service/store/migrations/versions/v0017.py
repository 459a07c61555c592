"""Mails put by for a yes, pass phrases, further addresses of players, letters that came back."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Four tables more. A mail that was put by before can be confirmed no more."""
    op.create_table(
        "put_by",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("mail", sa.Integer(), sa.ForeignKey("inbox.id"), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("answer", sa.Integer(), nullable=True),
        sa.Column("phrase", sa.String(), nullable=False),
        sa.UniqueConstraint("mail", name="put_by_mail"),
    )
    op.create_table(
        "pass_phrase",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("game_id", "holder", name="pass_phrase_holder"),
    )
    op.create_table(
        "further_address",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("seat_id", sa.Integer(), sa.ForeignKey("seat.id"), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("stands", sa.Boolean(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("mail", sa.Integer(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("seat_id", "kind", "stands", name="further_address_kind"),
    )
    op.create_table(
        "returned",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("letter", sa.Integer(), nullable=False),
        sa.Column("hard", sa.Boolean(), nullable=False),
        sa.Column("sent", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("letter", name="returned_letter"),
    )


def downgrade() -> None:
    """They are forgotten; players have the address that they play from."""
    for table in ("returned", "further_address", "pass_phrase", "put_by"):
        op.drop_table(table)
