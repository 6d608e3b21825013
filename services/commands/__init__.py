"""From a command to committed events: queue, decide, seal, append, publish."""
