"""The campaign: the aggregate that every command goes to, whatever its rule systems.

`aggregate` decides a command and `evolve` applies an event to the `state`; `commands`, `events`, `message_types`
are what both speak of. `request` is a command with its visibility and note, `settings` what a table may choose,
`subjects` the things that events name, and `name_resolution` finds them by what people call them. The rooms:

lifecycle   beginning, membership, archive          history     undo, redo and requests for them
play        sessions, notes, rolls, characters      secrecy     audiences, hidden things, entering, revealing
calendar    the group's calendar, downtime          privacy     erasure of what people wrote
money       ledger, escrow, chart, reconciliation   storage     events and states as bytes
scheduling  timers, what the campaign owes itself   transfer    campaigns as files
dice        epochs, ownership, audit of server dice
"""
