"""signal: a declarative workflow runtime for public signal intelligence."""

__version__ = "0.1.0"
