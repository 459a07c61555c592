"""What is over is found by its time, changed games by a mark, and causes by an index."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

#: the tables whose rows name their occasion and had no index for it
_CAUSED = (
    "ahead",
    "ballot",
    "offer",
    "order_state",
    "ruling",
    "standing_order",
    "tournament_act",
    "vote",
)
#: the tables of people that are looked for by their address
_PEOPLE = ("former", "observer", "volunteer")
_WHOLE = sa.text("length(raw) > 8")


def upgrade() -> None:
    """No data changes."""
    changed = sa.Column("changed", sa.Integer(), nullable=False, server_default="0")
    op.add_column("game", changed)
    op.create_index("game_changed", "game", ["changed"])
    for name in ("organiser_key", "assistants"):
        op.add_column("game", sa.Column(name, sa.String(), nullable=False, server_default=""))
    _fill()
    op.create_index("game_organiser_key", "game", ["organiser_key"])
    some = sa.text("assistants <> ''")
    op.create_index(
        "game_assistants", "game", ["assistants"], sqlite_where=some, postgresql_where=some
    )
    for table in _PEOPLE:
        op.create_index(f"{table}_address", table, ["address"])
    for table in _CAUSED:
        op.create_index(f"{table}_occasion", table, ["occasion_id"])
    op.create_index("occasion_at", "occasion", ["at"])
    op.create_index("outbox_created", "outbox", ["created"])
    op.drop_index("outbox_whole", "outbox")
    op.create_index("inbox_whole", "inbox", ["kept"], sqlite_where=_WHOLE, postgresql_where=_WHOLE)


def _fill() -> None:
    """Write the addresses that settings have into the column in which they are looked for."""
    names = ("id", "settings", "organiser", "organiser_key", "assistants")
    game = sa.table("game", *map(sa.column, names))
    connection = op.get_bind()
    connection.execute(game.update().values(organiser_key=sa.func.lower(game.c.organiser)))
    for number, settings in connection.execute(sa.select(game.c.id, game.c.settings)).all():
        chosen = json.loads(settings or b"{}")
        found = {str(chosen.get(key, "")).lower() for key in ("assistant", "invited")} - {""}
        if found:
            row = game.update().where(game.c.id == number)
            connection.execute(row.values(assistants=" ".join(sorted(found))))


def downgrade() -> None:
    """No data changes."""
    for table in _PEOPLE:
        op.drop_index(f"{table}_address", table)
    op.drop_index("game_assistants", "game")
    op.drop_index("game_organiser_key", "game")
    op.drop_index("inbox_whole", "inbox")
    op.create_index(
        "outbox_whole", "outbox", ["created"], sqlite_where=_WHOLE, postgresql_where=_WHOLE
    )
    op.drop_index("outbox_created", "outbox")
    op.drop_index("occasion_at", "occasion")
    for table in _CAUSED:
        op.drop_index(f"{table}_occasion", table)
    op.drop_index("game_changed", "game")
    with op.batch_alter_table("game") as game:
        for name in ("changed", "organiser_key", "assistants"):
            game.drop_column(name)
