"""Background work: stored views follow the log, and what campaigns owe themselves is done."""
