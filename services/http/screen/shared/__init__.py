"""What several features use: templates, styles and scripts, forms, who asks, and how things are told in lines.

It knows no page; `services.http.screen` says how one is added.
"""
