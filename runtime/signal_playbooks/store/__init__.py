"""What is remembered: signals, threads, acts, runs, the archive and the audit."""
