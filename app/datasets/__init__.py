"""Label tables of many complexes: built, described, checked, counted."""
