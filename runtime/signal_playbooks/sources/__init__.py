"""Places that are listened to: one module per kind of connector, behind one Protocol and one dict."""
