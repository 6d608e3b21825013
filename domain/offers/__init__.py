"""What a member may do now: every command, tried on the campaign as they know it.

`fields` describes what a command says, `values` what may stand in its fields, `trial` asks the rules about a whole
command, and `search` finds one that they accept from the part that is said.
"""
