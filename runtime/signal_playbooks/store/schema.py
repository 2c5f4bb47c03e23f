"""The tables: what is kept, and by what it is found again. A change here is a new file in migrations/versions."""

from sqlalchemy import Boolean, Column, Index, Integer, MetaData, Table, UniqueConstraint, text

from signal_playbooks.store.columns import Instant, Json, PlainText, Whole, post_columns

# Kept in the file's header, so that opening a current file needs no query and no alembic.
SCHEMA_VERSION = 1
APPLICATION_ID = 0x51674E41

METADATA = MetaData()

SIGNALS = Table(
    "signals",
    METADATA,
    Column("id", PlainText, primary_key=True, nullable=False),
    Column("first_seen_at", Instant, nullable=False),
    Column("checked_at", Instant, nullable=False),
    Column("lead_source", PlainText, nullable=False),
    Column("lead_native_id", PlainText, nullable=False),
    Column("gone", Boolean, nullable=False),
    Column("archived", Boolean, nullable=False),
    Column("labels", Json, nullable=False),
    Column("wire", PlainText),
)

# Which signal a post belongs to, and the post as its source last gave it.
SIGNAL_POSTS = Table(
    "signal_posts",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("signal_id", PlainText, nullable=False, index=True),
    Column("source", PlainText, nullable=False),
    *post_columns(),
    UniqueConstraint("source", "native_id"),
    Index("ix_signal_posts_url", "url"),
)

STORIES = Table(
    "stories",
    METADATA,
    Column("key", PlainText, primary_key=True, nullable=False),
    Column("signal_id", PlainText, nullable=False),
    sqlite_with_rowid=False,
)

THREADS = Table(
    "threads",
    METADATA,
    Column("signal_id", PlainText, primary_key=True, nullable=False),
    Column("at", Instant, nullable=False),
    Column("more", Whole, nullable=False),
    Column("posts", Json, nullable=False),
)

AUTHORS = Table(
    "authors",
    METADATA,
    Column("source", PlainText, primary_key=True, nullable=False),
    Column("handle", PlainText, primary_key=True, nullable=False),
    Column("at", Instant, nullable=False),
    Column("posts", Json, nullable=False),
)

LIVE = "status IN ('staged', 'committing', 'committed', 'in_doubt')"

ACTS = Table(
    "acts",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("handle", PlainText, nullable=False, unique=True),
    Column("signal_id", PlainText, nullable=False),
    Column("action", PlainText, nullable=False),
    Column("status", PlainText, nullable=False),
    Column("params_key", PlainText, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant),
    Column("settled_at", Instant),
    Column("due_at", Instant),
    Column("followed_at", Instant),
    Column("author_key", PlainText),
    Column("staged_by", PlainText, nullable=False),
    Column("run_id", PlainText),
    Column("committer", PlainText),
    Column("params", Json, nullable=False),
    Column("receipt", PlainText),
    Column("note", PlainText),
    Column("preview", PlainText, nullable=False),
    Column("payload", Json, nullable=False),
    # Holds between processes what `stage` decides within one: the same wish has one live act.
    Index("ux_acts_live", "signal_id", "action", "params_key", unique=True, sqlite_where=text(LIVE)),
    Index("ix_acts_signal", "signal_id", "action"),
    Index("ix_acts_status", "status", "id"),
    Index("ix_acts_expiry", "status", "expires_at"),
    Index("ix_acts_author", "author_key", "created_at", sqlite_where=text("author_key IS NOT NULL")),
    Index("ix_acts_due", "due_at", sqlite_where=text("due_at IS NOT NULL AND followed_at IS NULL")),
)

AUDIT = Table(
    "audit",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("who", PlainText, nullable=False),
    Column("what", PlainText, nullable=False),
    Column("handle", PlainText, index=True),
    Column("signal_id", PlainText),
    Column("outcome", PlainText, nullable=False),
)

RUNS = Table(
    "runs",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("run_id", PlainText, nullable=False, unique=True),
    Column("playbook", PlainText, nullable=False),
    Column("content_hash", PlainText, nullable=False),
    Column("caller", PlainText, nullable=False),
    Column("status", PlainText, nullable=False),
    Column("started_at", Instant, nullable=False),
    Column("finished_at", Instant),
    Column("inputs", Json, nullable=False),
    Column("outputs", Json),
    Column("summary", Json),
)

RUN_STEPS = Table(
    "run_steps",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("run_id", PlainText, nullable=False),
    Column("path", PlainText, nullable=False),
    Column("kind", PlainText, nullable=False),
    Column("status", PlainText, nullable=False),
    Column("attempts", Whole, nullable=False),
    Column("started_at", Instant),
    Column("finished_at", Instant),
    Column("output", Json),
    Column("error", Json),
    UniqueConstraint("run_id", "path"),
)

SEEN = Table(
    "seen",
    METADATA,
    Column("playbook", PlainText, primary_key=True, nullable=False),
    Column("signal_id", PlainText, primary_key=True, nullable=False),
    Column("run_id", PlainText, nullable=False),
    Column("at", Instant, nullable=False),
    sqlite_with_rowid=False,
)

ARCHIVE_SOURCES = Table(
    "archive_sources",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("source", PlainText, nullable=False, unique=True),
    Column("fingerprint", PlainText),
    Column("stamped_at", Instant),
)

ARCHIVE_POSTS = Table(
    "archive_posts",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("source_id", Integer, nullable=False),
    # Tells a root the source named from one followed through parents, which a late parent may still correct.
    Column("root_given", Boolean, nullable=False),
    Column("digest", PlainText, nullable=False),
    *post_columns(),
    UniqueConstraint("source_id", "native_id"),
    Index("ix_archive_newest", "source_id", "published_at", "id"),
    Index("ix_archive_thread", "source_id", "root_id"),
    Index("ix_archive_parent", "source_id", "parent_id", sqlite_where=text("parent_id IS NOT NULL")),
    Index("ix_archive_author", "source_id", "author", "published_at", sqlite_where=text("author IS NOT NULL")),
)

# What `index_text` makes of a post, and `s<source_id>`, by which one source's posts are cut out inside the index.
# The table keeps its own copy of those words: deleting then takes out exactly what was put in, whichever release
# wrote it. Neither alternative holds here: contentless tables cannot delete before SQLite 3.43, and an external
# content table would have to spell the same words in a column of the posts, at the same size.
FULL_TEXT = "archive_text"
CREATE_FULL_TEXT = (
    f"CREATE VIRTUAL TABLE {FULL_TEXT} USING fts5(source, title, body, tokenize = 'unicode61 remove_diacritics 0')"
)
