"""From events to what people read. Views are folds; nothing here decides anything.

`narration`, `sheets`, `boards` and `service_records` show any rule system; `campaign` what all campaigns have. A
system's own folder in `systems` brings a `SystemViews` (`system_views`), made from `awaited`, `emphasis` and
`record_fold`. `statistics` holds dice against what is likely, `languages` the words.
"""
