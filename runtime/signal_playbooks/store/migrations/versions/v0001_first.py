"""The first tables: signals, acts, audit, runs and the archive."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_LIVE = "status IN ('staged', 'committing', 'committed', 'in_doubt')"


def upgrade() -> None:
    """Make every table of schema 1."""
    _signals()
    _contexts()
    _acts()
    _runs()
    _archive()


def _text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=null)


def _number(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=null)


def _id() -> sa.Column[int]:
    return sa.Column("id", sa.Integer, primary_key=True)


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean, nullable=False)


def _post() -> list[sa.Column[str] | sa.Column[int]]:
    numbers = [_number(name, null=True) for name in ("published_at", "score", "comments", "author_karma")]
    names = [_text(name, null=True) for name in ("author", "parent_id", "root_id", "language", "place")]
    return [_text("native_id"), *numbers, *names, _text("url"), _text("link", null=True), _text("title"), _text("body")]


def _signals() -> None:
    op.create_table(
        "signals",
        sa.Column("id", sa.Text, primary_key=True, nullable=False),
        _number("first_seen_at"),
        _number("checked_at"),
        _text("lead_source"),
        _text("lead_native_id"),
        _flag("gone"),
        _flag("archived"),
        _text("labels"),
        _text("wire", null=True),
    )
    op.create_table(
        "signal_posts", _id(), _text("signal_id"), _text("source"), *_post(), sa.UniqueConstraint("source", "native_id")
    )
    op.create_index("ix_signal_posts_signal_id", "signal_posts", ["signal_id"])
    op.create_index("ix_signal_posts_url", "signal_posts", ["url"])
    op.create_table(
        "stories",
        sa.Column("key", sa.Text, primary_key=True, nullable=False),
        _text("signal_id"),
        sqlite_with_rowid=False,
    )


def _contexts() -> None:
    op.create_table(
        "threads",
        sa.Column("signal_id", sa.Text, primary_key=True, nullable=False),
        _number("at"),
        _number("more"),
        _text("posts"),
    )
    op.create_table(
        "authors",
        sa.Column("source", sa.Text, primary_key=True, nullable=False),
        sa.Column("handle", sa.Text, primary_key=True, nullable=False),
        _number("at"),
        _text("posts"),
    )


def _acts() -> None:
    op.create_table(
        "acts",
        _id(),
        sa.Column("handle", sa.Text, nullable=False, unique=True),
        *(_text(name) for name in ("signal_id", "action", "status", "params_key")),
        _number("created_at"),
        *(_number(name, null=True) for name in ("expires_at", "settled_at", "due_at", "followed_at")),
        _text("author_key", null=True),
        _text("staged_by"),
        _text("run_id", null=True),
        _text("committer", null=True),
        _text("params"),
        _text("receipt", null=True),
        _text("note", null=True),
        _text("preview"),
        _text("payload"),
    )
    live = sa.text(_LIVE)
    op.create_index("ux_acts_live", "acts", ["signal_id", "action", "params_key"], unique=True, sqlite_where=live)
    op.create_index("ix_acts_signal", "acts", ["signal_id", "action"])
    op.create_index("ix_acts_status", "acts", ["status", "id"])
    op.create_index("ix_acts_expiry", "acts", ["status", "expires_at"])
    named = sa.text("author_key IS NOT NULL")
    op.create_index("ix_acts_author", "acts", ["author_key", "created_at"], sqlite_where=named)
    waiting = sa.text("due_at IS NOT NULL AND followed_at IS NULL")
    op.create_index("ix_acts_due", "acts", ["due_at"], sqlite_where=waiting)
    op.create_table(
        "audit",
        _id(),
        _number("at"),
        _text("who"),
        _text("what"),
        _text("handle", null=True),
        _text("signal_id", null=True),
        _text("outcome"),
    )
    op.create_index("ix_audit_handle", "audit", ["handle"])


def _runs() -> None:
    op.create_table(
        "runs",
        _id(),
        sa.Column("run_id", sa.Text, nullable=False, unique=True),
        *(_text(name) for name in ("playbook", "content_hash", "caller", "status")),
        _number("started_at"),
        _number("finished_at", null=True),
        _text("inputs"),
        _text("outputs", null=True),
        _text("summary", null=True),
    )
    op.create_table(
        "run_steps",
        _id(),
        *(_text(name) for name in ("run_id", "path", "kind", "status")),
        _number("attempts"),
        _number("started_at", null=True),
        _number("finished_at", null=True),
        _text("output", null=True),
        _text("error", null=True),
        sa.UniqueConstraint("run_id", "path"),
    )
    op.create_table(
        "seen",
        sa.Column("playbook", sa.Text, primary_key=True, nullable=False),
        sa.Column("signal_id", sa.Text, primary_key=True, nullable=False),
        _text("run_id"),
        _number("at"),
        sqlite_with_rowid=False,
    )


def _archive() -> None:
    op.create_table(
        "archive_sources",
        _id(),
        sa.Column("source", sa.Text, nullable=False, unique=True),
        _text("fingerprint", null=True),
        _number("stamped_at", null=True),
    )
    op.create_table(
        "archive_posts",
        _id(),
        sa.Column("source_id", sa.Integer, nullable=False),
        _flag("root_given"),
        _text("digest"),
        *_post(),
        sa.UniqueConstraint("source_id", "native_id"),
    )
    op.create_index("ix_archive_newest", "archive_posts", ["source_id", "published_at", "id"])
    op.create_index("ix_archive_thread", "archive_posts", ["source_id", "root_id"])
    answers, named = sa.text("parent_id IS NOT NULL"), sa.text("author IS NOT NULL")
    op.create_index("ix_archive_parent", "archive_posts", ["source_id", "parent_id"], sqlite_where=answers)
    op.create_index("ix_archive_author", "archive_posts", ["source_id", "author", "published_at"], sqlite_where=named)
    op.execute(
        "CREATE VIRTUAL TABLE archive_text USING fts5(source, title, body, tokenize = 'unicode61 remove_diacritics 0')"
    )
