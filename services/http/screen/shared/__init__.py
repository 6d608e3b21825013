"""The parts that several features use: templates, styles and scripts, forms, the visitor, the lines of lists.

It knows no page; `services.http.screen` says how one is added.
"""
