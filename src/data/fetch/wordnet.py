"""WordNet's synsets and the pointers between them as a knowledge graph.

    python3 wordnet.py wordnet-wn18rr|wordnet-strict PACKAGE_ROOT OUT_DIR

Both have the eleven relations of WN18RR: of relations that are each other's inverse one is left out.
Pointers between words count as between their synsets. In wordnet-strict all triples between the same
two synsets are on the same side of the split: none of them gives the answer to another one.
"""
import command
import graphs

HELD_OUT = 5000

# Files are named by the part of speech; in pointers it is a letter.
LETTERS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
# The relations of WN18RR by the symbols of WordNet's files (see wninput(5WN)).
KEPT = {
    "@": "_hypernym", "@i": "_instance_hypernym", "%m": "_member_meronym", "%p": "_has_part",
    "+": "_derivationally_related_form", ";c": "_synset_domain_topic_of",
    "-r": "_member_of_domain_region", "-u": "_member_of_domain_usage", "^": "_also_see",
    "$": "_verb_group", "&": "_similar_to"}
POINTERS = 4  # fields of a pointer: symbol, offset, part of speech, words


def synsets(folder):
    """(key, words, pointers) of each synset. A key is a letter and an offset; a pointer is (symbol,
    key of the other, number of the word it starts at, and ends at; 1-based, 0 for the synset)."""
    for part, letter in LETTERS.items():
        with open(folder / f"data.{part}", encoding="latin-1") as file:
            for line in file:
                if line.startswith(" "):  # the licence
                    continue
                fields = line.split(" | ", 1)[0].split()
                first = 5 + 2 * int(fields[3], 16)  # behind the words and the number of pointers
                pointers = []
                for i in range(int(fields[first - 1])):
                    symbol, offset, other, ends = fields[first + POINTERS * i:][:POINTERS]
                    pointers.append((symbol, ("a" if other == "s" else other, offset),
                                     int(ends[:2], 16), int(ends[2:], 16)))
                yield (letter, fields[0]), fields[4:first - 1:2], pointers


def triples(folder):
    everything = list(synsets(folder))
    name = {(letter, offset): f"{letter}{offset}:{words[0]}"
            for (letter, offset), words, _ in everything}
    return graphs.unique((name[key], KEPT[symbol], name[other])
                         for key, _, pointers in everything
                         for symbol, other, _, _ in pointers if symbol in KEPT)


def convert(keep_pairs):
    def write(root, out):
        graphs.write(out, triples(root / "usr" / "share" / "wordnet"), HELD_OUT, keep_pairs)
    return write


if __name__ == "__main__":
    command.run({"wordnet-wn18rr": convert(False), "wordnet-strict": convert(True)})
