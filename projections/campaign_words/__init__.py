"""The campaign's own events, commands and settings in words, as each rule system brings its own."""
