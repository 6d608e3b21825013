"""Everything that may be read, by its readers: views at any moment, the chronicle, comparisons, the live feed."""
