"""Emails that wait for their owner's yes are held; emails without an answer are unanswered."""

from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

#: indexes by the second part of their names
_OF_UNANSWERED = {"due": ["due"]}
_OF_HELD = {
    "due": ["due"],
    "holder": ["game_id", "holder"],
    "tournament": ["tournament_id", "holder"],
}


def upgrade() -> None:
    """Only names change."""
    _rename("held", "unanswered", "inbox_id", _OF_UNANSWERED)
    _rename("put_by", "held", "mail", _OF_HELD)


def downgrade() -> None:
    """Only names change."""
    _rename("held", "put_by", "mail", _OF_HELD)
    _rename("unanswered", "held", "inbox_id", _OF_UNANSWERED)


def _rename(old: str, new: str, unique: str, indexes: dict[str, list[str]]) -> None:
    """Rename a table with its unique constraint, its indexes and its named foreign key."""
    for part in indexes:
        op.drop_index(f"{old}_{part}", old)
    op.rename_table(old, new)
    with op.batch_alter_table(new) as table:
        table.drop_constraint(f"{old}_{unique}", type_="unique")
        table.create_unique_constraint(f"{new}_{unique}", [unique])
        if "tournament" in indexes:
            key = "tournament_id"
            table.drop_constraint(f"{old}_{key}", type_="foreignkey")
            table.create_foreign_key(f"{new}_{key}", "tournament", [key], ["id"])
    for part, columns in indexes.items():
        op.create_index(f"{new}_{part}", new, columns)
