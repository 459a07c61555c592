"""Delayed answers name their holder: the organizer and the assistant, too."""

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Both offices had no name, and the organizer got the answers."""
    with op.batch_alter_table("held") as table:
        table.alter_column("seat", new_column_name="holder")
    op.execute("UPDATE held SET holder = 'organiser' WHERE holder = ''")
    op.execute("UPDATE task SET seat = 'organiser' WHERE kind = 'sum-up' AND seat = ''")


def downgrade() -> None:
    """The organizer gets the answers to the assistant."""
    op.execute(
        "UPDATE task SET seat = '' WHERE kind = 'sum-up' AND seat IN ('organiser', 'assistant')"
    )
    op.execute("UPDATE held SET holder = '' WHERE holder IN ('organiser', 'assistant')")
    with op.batch_alter_table("held") as table:
        table.alter_column("holder", new_column_name="seat")
