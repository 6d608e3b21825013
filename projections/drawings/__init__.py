"""Drawings made by hand, as SVG from typed views and as tables; boards are in the rooms of their systems."""
