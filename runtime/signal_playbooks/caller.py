"""Who is asking: a name for the audit, the scopes, and the sources that may be seen."""

from dataclasses import dataclass
from typing import Literal

Scope = Literal["read", "stage", "commit"]


@dataclass(frozen=True, slots=True)
class Caller:
    """The local user has every scope and every source; a key may have fewer. `sources` None means all."""

    name: str = "local"
    scopes: frozenset[Scope] = frozenset({"read", "stage", "commit"})
    sources: frozenset[str] | None = None
    run_id: str | None = None

    def may(self, scope: Scope) -> bool:
        """Tell whether this caller has the scope."""
        return scope in self.scopes

    def sees(self, source: str) -> bool:
        """Tell whether anything from this source exists for the caller."""
        return self.sources is None or source in self.sources


LOCAL = Caller()
