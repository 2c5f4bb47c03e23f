"""The base of every model of declared content: frozen, closed, and able to say what it is."""

import keyword
import re
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

ID_PATTERN = r"^[a-z][a-z0-9_]*$"
DURATION_PATTERN = r"^[0-9]{1,6}[smhd]$"
_UNIT_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}


class ContentModel(BaseModel):
    """A frozen value written by an author; `what` names it in complaints ("a step")."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)
    what: ClassVar[str] = "this"


def seconds(duration: str) -> int:
    """Return a duration such as `30s`, `5m`, `2h` or `3d` in seconds; ValueError where it is none."""
    if not re.fullmatch(DURATION_PATTERN, duration):
        raise ValueError(f"{duration!r} is no duration: write a whole number and s, m, h or d, such as 30s or 3d")
    return int(duration[:-1]) * _UNIT_SECONDS[duration[-1]]


def _is_duration(text: str) -> str:
    seconds(text)
    return text


def _is_nameable(name: str) -> str:
    # A word of the expression language could never be read as a name in one.
    if keyword.iskeyword(name) or name in ("true", "false", "null"):
        raise ValueError(
            f"{name!r} is a word of the expression language, so no expression could name it: choose another"
        )
    return name


def _as_expression(value: Any) -> Any:
    # `when: true` is a YAML boolean; as an expression it is the same word.
    return str(value).lower() if isinstance(value, bool) else value


Id = Annotated[str, StringConstraints(pattern=ID_PATTERN, max_length=64), AfterValidator(_is_nameable)]
Title = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Duration = Annotated[str, AfterValidator(_is_duration)]
ExpressionText = Annotated[str, BeforeValidator(_as_expression), Field(min_length=1)]
