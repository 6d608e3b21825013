"""Projections: the texts, views and drawings that people read, folded from events. No module here makes decisions.

`narration`, `sheets`, `boards` and `service_records` serve any rule system; `campaign` shows what all campaigns
have. Each system's folder in `systems` provides a `SystemViews` (`system_views`), built with `awaited_answers`,
`recap_weights` and `record_fold`. `drawings` makes boards into SVG, `statistics` compares dice with their odds,
`languages` translates sentences.
"""
