"""Where alembic starts: it migrates over the connection it is handed, inside the transaction open there."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
