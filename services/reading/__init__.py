"""What may be read, and by whom: views at any moment, the chronicle, comparisons, the live feed."""
