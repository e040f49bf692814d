"""Tests of analysis/; run: python3 -m unittest discover -s tests/analysis -t ."""
