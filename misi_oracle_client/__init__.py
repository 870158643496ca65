"""Client of misi-oracle."""
