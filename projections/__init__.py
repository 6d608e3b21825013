"""From events to what people read. Views are folds; nothing here decides anything."""
