"""Where committed acts go: one module a kind, behind one Protocol and one dict."""
