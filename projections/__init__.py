"""From events to what people read. Views are folds; nothing here decides anything.

`narration`, `sheets`, `boards` and `service_records` show any rule system; `campaign` what all campaigns have. A system's
own folder in `systems` brings a `SystemViews` (`system_views`): `awaited`, `emphasis` and `record_fold` are what those
are made from. `statistics` holds dice against what is likely, `languages` the words.
"""
