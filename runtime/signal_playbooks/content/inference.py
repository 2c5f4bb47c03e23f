"""The type of an expression before anything runs, and every mistake that its types give away, each at its place."""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any as Whatever

from signal_playbooks.content.checks import Findings
from signal_playbooks.content.comparing import check_comparison
from signal_playbooks.content.expression import Complaint, Expression
from signal_playbooks.content.types import Scope, Type
