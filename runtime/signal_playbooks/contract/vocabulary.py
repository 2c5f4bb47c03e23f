"""The closed vocabularies of the wire, each once."""

from typing import Literal

Intent = Literal[
    "buying",
    "evaluating",
    "hiring",
    "complaining",
    "recommending",
    "learning",
    "building",
    "announcing",
    "asking",
    "comparing",
]
Freshness = Literal["last_hour", "today", "this_week", "this_month", "any"]
FreshnessBucket = Literal["last_hour", "today", "this_week", "this_month", "older", "unknown"]
KarmaBucket = Literal["new", "low", "medium", "high", "established", "unknown"]
Depth = Literal["surface", "thread", "author"]
Action = Literal["archive", "flag", "route", "draft_reply", "schedule_followup"]
ActStatus = Literal["staged", "committed", "discarded", "superseded", "expired", "failed", "in_doubt"]
CoverageState = Literal[
    "ok",
    "no_results",
    "partial",
    "rate_limited",
    "needs_auth",
    "blocked",
    "unreachable",
    "timeout",
    "changed",
    "skipped",
    "error",
]
Liveness = Literal["live", "cached", "gone"]
RecentPosts = Literal["none", "occasional", "active", "prolific", "unknown"]
Sentiment = Literal["frustrated", "negative", "neutral", "positive", "mixed", "unknown"]
RoleHint = Literal["indie_founder", "enterprise_dev", "student", "enthusiast", "unknown"]

# How far back each freshness reaches, in seconds; `any` has no bound. Contract: today 24 h, week 7 d, month 30 d.
FRESHNESS_SECONDS: dict[str, int] = {
    "last_hour": 3_600,
    "today": 86_400,
    "this_week": 7 * 86_400,
    "this_month": 30 * 86_400,
}
