"""What pages share: templates, styles and scripts, forms, who asks, and how things are told in lines.

It knows no page; `services.pages` says how one is added.
"""
