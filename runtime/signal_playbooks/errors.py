"""Every refusal to act, as one tree; a border (a command, a tool call) turns each into words and a code.

SignalError
├── UsageError              the command or the call itself is wrong (exit 2)
│   ├── ContentInvalid      declared content that does not check; carries its problems
│   └── InvalidArguments    -32602: arguments of a tool or inputs of a playbook; carries a path and a sentence each
├── RateLimited             -32002
├── SourceUnavailable       -32003
├── UnknownSignal           -32004
├── UnknownHandle           -32005: no such act, or nothing staged
├── AlreadySettled          -32006: expired, discarded, superseded or already executed
├── NotConfigured           -32007: a credential, a destination
├── TimedOut                -32008
├── NotAllowed              -32009: this caller may not commit
├── EvaluationFailed        an expression could not be evaluated over the data at hand
├── StoreUnavailable        the database cannot be opened, read or written
└── Interrupted             the person stopped it (exit 130)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from signal_playbooks.problem import Problem


class SignalError(Exception):
    """A refusal a person or an agent can act on.

    `message` is one sentence that says what is wrong; `suggested_action` one that says what to do next;
    `data` what a program can use. `name` is the slug a playbook's `retry.on` knows it by.
    """

    code: ClassVar[int] = -32603
    name: ClassVar[str] = "error"
    retryable: ClassVar[bool] = False
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, suggested_action: str | None = None, **data: Any) -> None:
        super().__init__(message)
        self.message = message
        self.suggested_action = suggested_action
        self.data: dict[str, Any] = data

    def as_dict(self) -> dict[str, Any]:
        """Return `{name, code, message, suggested_action?, …data}`, ready for JSON."""
        body: dict[str, Any] = {"name": self.name, "code": self.code, "message": self.message}
        if self.suggested_action:
            body["suggested_action"] = self.suggested_action
        return body | self.data


class UsageError(SignalError):
    """The command or the call itself is wrong; nothing was started."""

    code = -32602
    name = "usage"
    exit_code = 2


class ContentInvalid(UsageError):
    """Declared content does not check."""

    name = "content_invalid"

    def __init__(self, message: str, problems: Sequence[Problem], suggested_action: str | None = None) -> None:
        super().__init__(message, suggested_action, problems=[problem.as_dict() for problem in problems])
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class ArgumentError:
    """One argument that does not fit: where it stands (`scope.freshness`) and a sentence."""

    path: str
    message: str


class InvalidArguments(UsageError):
    """Arguments that do not fit the schema they are held against."""

    name = "invalid_arguments"

    def __init__(
        self, message: str, arguments: Sequence[ArgumentError], suggested_action: str | None = None, **data: Any
    ) -> None:
        errors = [{"path": argument.path, "message": argument.message} for argument in arguments]
        super().__init__(message, suggested_action, errors=errors, **data)
        self.arguments = tuple(arguments)


class RateLimited(SignalError):
    """Every chosen source asked us to wait; `retry_after_seconds` and `affected_sources` are in the data."""

    code = -32002
    name = "rate_limited"
    retryable = True


class SourceUnavailable(SignalError):
    """No chosen source answered."""

    code = -32003
    name = "source_unavailable"
    retryable = True


class UnknownSignal(SignalError):
    """No signal of that id, or none that this caller may see."""

    code = -32004
    name = "unknown_signal"


class UnknownHandle(SignalError):
    """No act of that handle, or nothing staged to commit."""

    code = -32005
    name = "unknown_handle"


class AlreadySettled(SignalError):
    """The act is expired, discarded, superseded, or was executed before."""

    code = -32006
    name = "already_settled"


class NotConfigured(SignalError):
    """A credential or a destination is missing."""

    code = -32007
    name = "not_configured"


class TimedOut(SignalError):
    """The work did not end within its time limit."""

    code = -32008
    name = "timed_out"
    retryable = True


class NotAllowed(SignalError):
    """This caller may not do that."""

    code = -32009
    name = "not_allowed"


class EvaluationFailed(SignalError):
    """An expression met data it cannot work on; `expression` is in the data."""

    name = "evaluation_failed"


class StoreUnavailable(SignalError):
    """The database is missing, broken, locked, full or from a newer release."""

    name = "store_unavailable"


class Interrupted(SignalError):
    """The person stopped the command; what was finished is kept."""

    name = "interrupted"
    exit_code = 130


def error_names() -> Mapping[str, type[SignalError]]:
    """Return every error class by its slug, for `retry.on` and the docs."""
    found: dict[str, type[SignalError]] = {}
    pending: list[type[SignalError]] = [SignalError]
    while pending:
        error = pending.pop()
        found[error.name] = error
        pending.extend(error.__subclasses__())
    return found
