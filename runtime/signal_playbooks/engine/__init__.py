"""The playbook runtime over the tools."""
