"""The possible commands of a member now: each is tried on the campaign as they know it.

`fields` describes a command's fields, `field_values` lists candidates for them, `trial` asks the rules about a
whole command, and `search` finds one that they accept from the fields given so far.
"""
