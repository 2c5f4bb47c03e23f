"""Places that committed acts are delivered to: one module per kind, behind one Protocol and one dict."""
