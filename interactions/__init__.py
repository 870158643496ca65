"""Geometric chemistry of protein-ligand complexes: structures in, hydrogen bonds and pockets out."""

from importlib.metadata import version

__version__ = version("misi-oracle")
