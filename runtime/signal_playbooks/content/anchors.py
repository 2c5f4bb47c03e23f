"""Anchors and the copies their aliases stand for, within bounds that no alias bomb gets past."""

from signal_playbooks.content.node import Alias, Mapping, Node, Scalar, Sequence

MAX_DEPTH = 100
MAX_ALIASED_NODES = 50_000


class AliasRefused(Exception):  # it is a finding about a text, not a failure
    """An alias that stands for nothing, or for too much; `fatal` where reading on would make it worse."""

    def __init__(self, message: str, *, fatal: bool) -> None:
        super().__init__(message)
        self.fatal = fatal


class Anchors:
    """The anchored nodes of one document."""

    def __init__(self) -> None:
        self._nodes: dict[str, tuple[Node, int] | None] = {}
        self._copied = 0

    def open(self, name: str) -> None:
        """Note that the node of this anchor has begun, so that an alias inside it would go in a circle."""
        self._nodes[name] = None

    def keep(self, name: str, at: int, node: Node) -> None:
        """Note the node of the anchor that is written at `at`; a later anchor of the same name replaces it."""
        self._nodes[name] = (node, at)

    def use(self, name: str, start: int, end: int, depth: int) -> Node:
        """Return a copy of the anchored node that knows the alias it stands under; AliasRefused where there is none."""
        anchored = self._nodes.get(name)
        if anchored is None:
            inside = name in self._nodes
            message = f"*{name} stands inside the value it refers to" if inside else f"no &{name} stands before this"
            raise AliasRefused(message, fatal=False)
        node, at = anchored
        return self._copy(node, Alias(name, start, end, at), depth)

    def _copy(self, node: Node, alias: Alias, depth: int) -> Node:
        """Return the node as it stands under the alias: each use is a node of its own, so that it has its own place."""
        self._copied += 1
        if depth > MAX_DEPTH:
            raise AliasRefused(f"the aliases of this file nest more than {MAX_DEPTH} levels deep", fatal=True)
        if self._copied > MAX_ALIASED_NODES:
            raise AliasRefused(f"the aliases of this file stand for more than {MAX_ALIASED_NODES:,} values", fatal=True)
        if isinstance(node, Scalar):
            return _copied_scalar(node, alias)
        if isinstance(node, Sequence):
            items = [self._copy(item, alias, depth + 1) for item in node.items]
            return Sequence(tuple(items), node.flow, node.start, node.end, alias)
        entries = [(_copied_scalar(key, alias), self._copy(value, alias, depth + 1)) for key, value in node.entries]
        return Mapping(tuple(entries), node.flow, node.start, node.end, alias, node.places)


def _copied_scalar(node: Scalar, alias: Alias) -> Scalar:
    return Scalar(node.text, node.style, node.start, node.end, alias)
