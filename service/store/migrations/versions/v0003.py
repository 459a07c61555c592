"""Pictures of letters are kept once; what was acted on, told and put off is known of mails.

Letters that were stored whole are folded: their pictures move to a table of their own.
"""

import base64
import hashlib
import re
import zlib

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

# A base64 body that the service wrote, up to the boundary that follows it.
_IMAGE = re.compile(
    rb"(Content-Type: image/png\r\n(?:[!-~][^\r\n]*\r\n|[ \t][^\r\n]*\r\n)*\r\n)"
    rb"((?:[A-Za-z0-9+/]{1,76}={0,2}\r\n)+)"
)


def upgrade() -> None:
    """New columns, the table of pictures, and letters moved over to it."""
    _time("inbox", "next_try")
    _text("inbox", "identity")
    op.add_column("inbox", sa.Column("acted", sa.String(), nullable=True))
    op.add_column(
        "inbox", sa.Column("faults", sa.Integer(), nullable=False, server_default=sa.text("0"))
    )
    op.create_index("inbox_acted", "inbox", ["acted"], unique=True)
    _text("outbox", "pictures")
    op.add_column("outbox", sa.Column("told", sa.BigInteger(), nullable=True))
    op.create_index("outbox_message_id", "outbox", ["message_id"])
    op.create_table(
        "picture",
        sa.Column("sha256", sa.String(), primary_key=True),
        sa.Column("png", sa.LargeBinary(), nullable=False),
        sa.Column("used", sa.BigInteger(), nullable=False),
    )
    connection = op.get_bind()
    _know_what_was_acted_on(connection)
    _fold_letters(connection)


def _text(table: str, name: str) -> None:
    op.add_column(table, sa.Column(name, sa.String(), nullable=False, server_default=sa.text("''")))


def _time(table: str, name: str) -> None:
    column = sa.Column(name, sa.BigInteger(), nullable=False, server_default=sa.text("0"))
    op.add_column(table, column)


def _know_what_was_acted_on(connection: sa.Connection) -> None:
    """The first mail of a Message-ID was acted on; others were marked as duplicates at once."""
    connection.execute(
        sa.text(
            "UPDATE inbox SET identity = '2 ' || message_id, acted = '2 ' || message_id "
            "WHERE message_id <> '' AND id IN (SELECT min(id) FROM inbox "
            "WHERE status = 'done' AND message_id <> '' GROUP BY message_id)"
        )
    )
    # Failures that nobody was told of are the past's: the operator lists them.
    connection.execute(sa.text("UPDATE outbox SET told = created WHERE status = 'failed'"))


def _fold_letters(connection: sa.Connection) -> None:
    rows = connection.execute(sa.text("SELECT id, created FROM outbox ORDER BY id")).fetchall()
    for letter, created in rows:
        stored = connection.execute(
            sa.text("SELECT raw FROM outbox WHERE id = :id"), {"id": letter}
        ).scalar_one()
        names: list[str] = []

        def take(found: re.Match[bytes], names: list[str] = names, used: int = created) -> bytes:
            png = base64.b64decode(found[2])
            if base64.encodebytes(png).replace(b"\n", b"\r\n") != found[2]:
                return found[0]
            name = hashlib.sha256(png).hexdigest()
            _keep(connection, name, png, used)
            names.append(name)
            return found[1] + b"\0picture %s\0" % name.encode()

        raw = _IMAGE.sub(take, zlib.decompress(bytes(stored)))
        if names:
            connection.execute(
                sa.text("UPDATE outbox SET raw = :raw, pictures = :names WHERE id = :id"),
                {"raw": zlib.compress(raw), "names": " ".join(sorted(set(names))), "id": letter},
            )


def _keep(connection: sa.Connection, name: str, png: bytes, used: int) -> None:
    # Letters come in the order they were queued, so the last one's time stands in the end.
    connection.execute(
        sa.text(
            "INSERT INTO picture (sha256, png, used) VALUES (:name, :png, :used) "
            "ON CONFLICT (sha256) DO UPDATE SET used = excluded.used"
        ),
        {"name": name, "png": png, "used": used},
    )


def downgrade() -> None:
    """Not possible without putting the pictures back: go back to a backup."""
    raise NotImplementedError("restore the database from a backup made before the upgrade")
