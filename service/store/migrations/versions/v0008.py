"""Occasions instead of mails, tasks, whom games wait for, and how the engine's bytes are written.

Each mail that acted becomes the occasion of its steps; steps that no mail made get one each. Whom
running games wait for is not known here: the service adds that at its start.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Three tables more, the steps moved over, the answers that wait set as tasks."""
    _occasion()
    _task()
    _waiting()
    for table in ("action", "game"):
        op.add_column(table, sa.Column("format", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("action", sa.Column("occasion_id", sa.Integer(), nullable=True))
    connection = op.get_bind()
    _give_steps_their_occasions(connection)
    _set_tasks_for_what_waits(connection)
    with op.batch_alter_table("action") as action:
        action.drop_constraint("action_of_mail", type_="unique")
        action.drop_column("inbox_id")
        action.alter_column("occasion_id", existing_type=sa.Integer(), nullable=False)
        action.create_foreign_key("action_occasion", "occasion", ["occasion_id"], ["id"])
        action.create_unique_constraint("action_of_occasion", ["occasion_id", "line", "game_id"])


def _text(name: str, default: str | None = None) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=False, server_default=default)


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False, server_default="0")


def _time(name: str, default: str | None = None, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable, server_default=default)


def _occasion() -> None:
    op.create_table(
        "occasion",
        sa.Column("id", sa.Integer(), primary_key=True),
        _text("kind"),
        _text("game"),
        _text("seat"),
        sa.Column("mail", sa.Integer(), sa.ForeignKey("inbox.id"), nullable=True),
        _text("key"),
        _time("at"),
        sa.UniqueConstraint("key", name="occasion_key"),
        sa.UniqueConstraint("mail", name="occasion_mail"),
    )


def _task() -> None:
    op.create_table(
        "task",
        sa.Column("id", sa.Integer(), primary_key=True),
        _text("kind"),
        _text("game"),
        _text("seat"),
        _text("key"),
        _time("due"),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        _text("status", "new"),
        _text("worker", ""),
        _time("lease", "0"),
        _count("tries"),
        _count("faults"),
        _time("next_try", "0"),
        _text("note", ""),
        _time("created"),
        sa.UniqueConstraint("key", name="task_key"),
        sa.CheckConstraint("status IN ('new', 'working', 'done', 'shunted')", name="status_known"),
    )
    op.create_index("task_due", "task", ["status", "due"])
    op.create_index("task_lane", "task", ["game", "status"])


def _waiting() -> None:
    op.create_table(
        "waiting",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        _text("seat"),
        _text("decision"),
        _time("since"),
        _time("due", nullable=True),
        sa.UniqueConstraint("game_id", "seat", name="waiting_seat"),
    )
    op.create_index("waiting_due", "waiting", ["due"])


def _give_steps_their_occasions(connection: sa.Connection) -> None:
    every = "FROM action JOIN game ON game.id = action.game_id"
    connection.execute(
        sa.text(
            "INSERT INTO occasion (kind, game, seat, mail, key, at) "
            "SELECT 'mail', min(game.name), max(action.seat), inbox_id, "
            "'mail-' || CAST(inbox_id AS VARCHAR), min(action.at) "
            f"{every} WHERE inbox_id IS NOT NULL GROUP BY inbox_id ORDER BY inbox_id"
        )
    )
    connection.execute(
        sa.text(
            "INSERT INTO occasion (kind, game, seat, mail, key, at) "
            "SELECT 'step', game.name, action.seat, NULL, "
            "'step-' || CAST(action.id AS VARCHAR), action.at "
            f"{every} WHERE inbox_id IS NULL ORDER BY action.id"
        )
    )
    connection.execute(
        sa.text(
            "UPDATE action SET occasion_id = (SELECT occasion.id FROM occasion WHERE occasion.key ="
            " CASE WHEN action.inbox_id IS NULL THEN 'step-' || CAST(action.id AS VARCHAR) "
            "ELSE 'mail-' || CAST(action.inbox_id AS VARCHAR) END)"
        )
    )


def _set_tasks_for_what_waits(connection: sa.Connection) -> None:
    connection.execute(
        sa.text(
            "INSERT INTO task (kind, game, seat, key, due, payload, created) "
            "SELECT 'sum-up', game, seat, 'sum-up-' || CAST(inbox_id AS VARCHAR), due, :nothing, "
            "at FROM held ORDER BY id"
        ),
        {"nothing": b""},
    )


def downgrade() -> None:
    """Not possible for steps that no mail made: go back to a backup."""
    raise NotImplementedError("restore the database from a backup made before the upgrade")
