"""Alembic's way in: runs the versions on the connection that ``Store.upgrade`` hands over.

The caller has begun the transaction and holds the lock; nothing is committed here.
"""

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection, render_as_batch=True)
context.run_migrations()
