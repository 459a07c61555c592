"""How far each player has been told of the game, their settings anew, and words for one alone."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_DIGESTS = {"all": "each", "rounds": "round", "off": "off"}
_NEWS = {"round": "rounds", "off": "off"}


def upgrade() -> None:
    """Who was told by mail of each move goes on so; all know the position that stands."""
    for name in ("told", "heard"):
        column = sa.Column(name, sa.Integer(), nullable=False, server_default="0")
        op.add_column("seat", column)
    op.create_table(
        "jotting",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id"), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("kind IN ('note', 'diary', 'news')", name="kind_known"),
    )
    op.create_index("jotting_seat", "jotting", ["game_id", "seat"])
    connection = op.get_bind()
    head = "SELECT number FROM action, game WHERE action.id = game.head AND game.id = seat.game_id"
    talk = "SELECT max(talk.id) FROM talk WHERE talk.game_id = seat.game_id"
    connection.execute(
        sa.text(f"UPDATE seat SET told = coalesce(({head}), 0), heard = coalesce(({talk}), 0)")
    )
    _settings(connection, _newer)


def downgrade() -> None:
    """Notes and diaries are forgotten, and whatever could not be chosen before."""
    op.drop_table("jotting")
    _settings(op.get_bind(), _older)
    with op.batch_alter_table("seat") as seat:
        seat.drop_column("told")
        seat.drop_column("heard")


def _newer(chosen: dict[str, object]) -> dict[str, object]:
    news, images = str(chosen.get("news", "all")), chosen.get("images", True)
    return {"images": "on" if images else "off", "digest": _DIGESTS.get(news, "each")}


def _older(chosen: dict[str, object]) -> dict[str, object]:
    news = _NEWS.get(str(chosen.get("digest")), "all")
    return {"images": chosen.get("images") != "off", "news": news}


def _settings(connection: sa.Connection, made: object) -> None:
    """Every seat's settings, which are JSON, written anew."""
    assert callable(made)
    for seat, settings in connection.execute(sa.text("SELECT id, settings FROM seat")).all():
        # a database made before today's tables may have it as text
        anew = json.dumps(made(json.loads(settings))).encode()
        statement = sa.text("UPDATE seat SET settings = :settings WHERE id = :id")
        connection.execute(statement, {"settings": anew, "id": seat})
