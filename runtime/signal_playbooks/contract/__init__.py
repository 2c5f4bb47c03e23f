"""The wire in one place: the three tools' models, the Signal, and their portable JSON Schemas."""
