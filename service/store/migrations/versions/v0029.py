"""On PostgreSQL, the tables of work tell all workers of new rows."""

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

_TABLES = ("inbox", "outbox", "task")


def upgrade() -> None:
    """No data changes."""
    if op.get_bind().dialect.name != "postgresql":
        return
    op.execute(
        "CREATE FUNCTION waybill_work() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " PERFORM pg_notify('waybill', TG_TABLE_NAME); RETURN NULL; END $$"
    )
    for table in _TABLES:
        op.execute(
            f"CREATE TRIGGER {table}_work AFTER INSERT ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION waybill_work()"
        )


def downgrade() -> None:
    """No data changes."""
    if op.get_bind().dialect.name != "postgresql":
        return
    for table in _TABLES:
        op.execute(f"DROP TRIGGER {table}_work ON {table}")
    op.execute("DROP FUNCTION waybill_work()")
