"""The checks across a playbook and everything it names."""
