"""`python -m signal_playbooks`: the same as the command `signal`."""

from signal_playbooks.cli import main

main()
