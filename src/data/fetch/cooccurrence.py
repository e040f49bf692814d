"""How often words of a text stand near each other, as a matrix of logarithms.

    python3 cooccurrence.py cooc-dict PACKAGE_ROOT OUT_DIR
"""
import collections
import math

import command
import matrices
import texts

TEST_SHARE = 0.05
WORDS = 10_000  # the most frequent ones
WINDOW = 5
LEAST = 2.0


def most_frequent(sentences):
    count = collections.Counter(word for sentence in sentences for word in sentence)
    return sorted(count, key=lambda word: (-count[word], word))[:WORDS]


def nearness(sentences, number):
    """Sum of 1 / distance over the places where two words are at most WINDOW apart; the key is
    first * WORDS + second."""
    sums = collections.defaultdict(float)
    for sentence in sentences:
        numbers = [number.get(word, -1) for word in sentence]
        for at, first in enumerate(numbers):
            if first < 0:
                continue
            for distance, second in enumerate(numbers[at + 1:at + 1 + WINDOW], start=1):
                if second >= 0 and second != first:
                    sums[first * WORDS + second] += 1.0 / distance
                    sums[second * WORDS + first] += 1.0 / distance
    return sums


def write(sentences, out):
    words = most_frequent(sentences)
    sums = nearness(sentences, {word: index for index, word in enumerate(words)})
    cells = [(words[key // WORDS], words[key % WORDS], math.log(1 + near))
             for key, near in sums.items() if near >= LEAST]
    matrices.write(out, cells, TEST_SHARE, ".4f")


def cooc_dict(root, out):
    write(list(texts.dictionaries(root)), out)


if __name__ == "__main__":
    command.run({"cooc-dict": cooc_dict})
