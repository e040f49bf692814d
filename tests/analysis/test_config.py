"""The reader of config.yaml: the subset of YAML that pslab writes."""

import unittest

from analysis.config import flatten, flatten_flow
from analysis.errors import InputError


class Flatten(unittest.TestCase):
    def test_block_maps_become_dotted_paths(self):
        self.assertEqual(flatten("a: 1\nb:\n  c: x y\n  d:\n    e: -2.5\nf: true\n", "s"),
                         {"a": "1", "b.c": "x y", "b.d.e": "-2.5", "f": "true"})

    def test_flow_collections_in_values_and_in_lists(self):
        text = "s:\n  - {name: a, n: [1, 2]}\n  - {name: b, o: {}}\nt: [x, {y: 1}]\nu: []\n"
        self.assertEqual(flatten(text, "s"), {
            "s[0].name": "a", "s[0].n[0]": "1", "s[0].n[1]": "2", "s[1].name": "b", "s[1].o": "{}",
            "t[0]": "x", "t[1].y": "1", "u": "[]"})

    def test_lists_of_block_maps_at_either_indent(self):
        indented = "a:\n  - k: 1\n    l: 2\n  - 3\nb: 4\n"
        flush = "a:\n- k: 1\n  l: 2\n- 3\nb: 4\n"
        expected = {"a[0].k": "1", "a[0].l": "2", "a[1]": "3", "b": "4"}
        self.assertEqual(flatten(indented, "s"), expected)
        self.assertEqual(flatten(flush, "s"), expected)

    def test_quotes_protect_colons_commas_and_hashes(self):
        self.assertEqual(flatten("a: \"x: # y\"  # note\nb: ['p, q', 'it''s']\n# end\n", "s"),
                         {"a": "x: # y", "b[0]": "p, q", "b[1]": "it's"})

    def test_empty_values(self):
        self.assertEqual(flatten("a:\nb: 1\n", "s"), {"a": "", "b": "1"})
        self.assertEqual(flatten("", "s"), {})

    def test_errors_name_the_line(self):
        for text, line in (("a: 1\nnonsense\n", 2), ("a: {b: 1\n", 1), ("a: 'x\n", 1),
                           ("a: 1\n   b: 2\n", 2), ("  a: 1\nb: 2\n", 2), ("a: [1] 2\n", 1)):
            with self.subTest(text), self.assertRaisesRegex(InputError, f"^file:{line}: "):
                flatten(text, "file")

    def test_one_value(self):
        self.assertEqual(flatten_flow("{name: ssp, staleness: 4}", "strategy", "s"),
                         {"strategy.name": "ssp", "strategy.staleness": "4"})
        self.assertEqual(flatten_flow("static", "strategy", "s"), {"strategy": "static"})


if __name__ == "__main__":
    unittest.main()
