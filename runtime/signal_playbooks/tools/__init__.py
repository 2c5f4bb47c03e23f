"""The product: listen, inspect and dispatch."""
