"""WordNet by word: its senses, the synsets above them, irregular forms. Words are in lower case."""
import collections
import re

import wordnet

UP = ("@", "@i")  # to a more general synset; from an instance to its class


class Lexicon:
    def __init__(self, folder):
        self.folder = folder
        self.synsets = {key: ([re.sub(r"\(.*\)", "", word).lower() for word in words], pointers)
                        for key, words, pointers in wordnet.synsets(folder)}
        self.senses = collections.defaultdict(list)  # of each word, by part, the commonest first
        for part, letter in wordnet.LETTERS.items():
            with open(folder / f"index.{part}", encoding="latin-1") as file:
                for fields in (line.split() for line in file if not line.startswith(" ")):
                    self.senses[fields[0]] += [(letter, offset)
                                               for offset in fields[-int(fields[2]):]]

    def pointers(self, symbol):
        """(synset, other synset, word, word of the other) of all pointers of that kind; no words
        where the pointer is between the synsets as such."""
        for key, (words, pointers) in self.synsets.items():
            for kind, other, start, end in pointers:
                if kind == symbol:
                    yield (key, other, words[start - 1] if start else "",
                           self.synsets[other][0][end - 1] if end else "")

    def irregular(self, part):
        """The irregular forms of each word."""
        forms = collections.defaultdict(list)
        with open(self.folder / f"{part}.exc", encoding="latin-1") as file:
            for form, *words in map(str.split, file):
                for word in words:
                    forms[word].append(form)
        return forms

    def can_be(self, word, letter):
        return any(key[0] == letter for key in self.senses.get(word, ()))

    def is_mainly(self, word, letter):
        """No other part of speech has more of the word's senses (or as many, and comes first)."""
        parts = collections.Counter(key[0] for key in self.senses.get(word, ()))
        return bool(parts) and parts.most_common(1)[0][0] == letter

    def above(self, key):
        """Steps up to each synset above, and to itself."""
        steps = {key: 0}
        queue = collections.deque(steps)
        while queue:
            below = queue.popleft()
            for symbol, other, _, _ in self.synsets[below][1]:
                if symbol in UP and other not in steps:
                    steps[other] = steps[below] + 1
                    queue.append(other)
        return steps

    def depth(self, key):
        return max(self.above(key).values()) + 1

    def likeness(self, one, two):
        """Of Wu and Palmer ("Verb semantics and lexical selection", 1994): 1 for the same synset,
        towards 0 the nearer to the root the paths from both meet."""
        first, second = self.above(one), self.above(two)
        best = 0.0
        for key in first.keys() & second.keys():
            depth = 2 * self.depth(key)
            best = max(best, depth / (depth + first[key] + second[key]))
        return best
