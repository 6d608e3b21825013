"""The campaign: the aggregate that every command goes to, with any rule systems.

`aggregate` decides a command, `evolve` applies an event to the `state`, and `schedule` lists the commands that
the campaign owes itself; they join the rooms. `commands` and `events` are shared by all.
`request` is a command with its visibility and note, `past_action` one of the log, `settings` what a table may
choose, `dates` its calendar, `membership` its members and their rights, and `subjects` the things that events
name. The rooms, each of which imports only those before it, column by column:

messages    the commands and events of each room    dice        epochs, ownership, audit of server dice
storage     events and states as bytes              money       ledger, escrow, mistyped names, reconciliation
secrecy     audiences, hidden things, entering      calendar    how it moves on, downtime, timers
play        sessions, notes, rolls, characters      lifecycle   beginning, archive, characters who leave
names       what people call things, as ids         knowledge   what each audience knows, and deciding on it
transfer    campaigns as files                      history     undo, redo, corrections, revealing
"""
