"""make bench: every figure of speed and memory, each as a ratio in one run, beside its goal."""

import platform
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench import BENCHES


def main() -> None:
    """Print the figures of the benches named, or of all."""
    named = sys.argv[1:] or list(BENCHES)
    print(f"{platform.platform()}, Python {platform.python_version()}")
    for name in named:
        for figure in BENCHES[name]():
            print(figure.line(), flush=True)


main()
