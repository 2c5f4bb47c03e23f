"""Where posts come from: one module a connector kind, behind one Protocol and one dict."""
