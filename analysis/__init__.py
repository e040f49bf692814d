"""Reads result folders of pslab and turns them into figures and comparisons. See README.md."""
