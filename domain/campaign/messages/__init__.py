"""The commands and events of each room, and nothing that decides; `commands` and `events` list them all."""
