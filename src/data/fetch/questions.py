"""Questions for word vectors, made from WordNet for the words of a text: analogies.txt, in the
layout of Google's questions-words, and similarities.tsv, nouns with their likeness in WordNet's
hierarchy.

Irregular forms are from WordNet, regular ones by rules of spelling, so a few pairs are wrong.
"""
import itertools
import random
import re

import drawing
from lexicon import Lexicon

SEED = 1
LEAST = 20  # times that a word must be in the text
PAIRS = 60  # of a section: the most frequent ones
QUESTIONS = 800  # of a section
NOUNS = 4000  # the most frequent ones are compared
COMPARISONS = 2000
SHORTEST = 3  # letters of words that are inflected or compared

HISSING = re.compile(r".*(s|x|z|ch|sh)")
CONSONANT_Y = re.compile(r".*[^aeiou]y")
DOUBLED = re.compile(r"[a-z]?[^aeiou][aeiou][^aeiouwxy]")  # run, runn-ing
NEGATED = re.compile(r"(un|in|im|il|ir|dis|non)(.*)")


def with_s(word):
    if HISSING.fullmatch(word):
        return word + "es"
    return word[:-1] + "ies" if CONSONANT_Y.fullmatch(word) else word + "s"


def stem(verb):
    """What -ed and -ing are added to."""
    if verb.endswith("e"):
        return verb[:-1]
    return verb + verb[-1] if DOUBLED.fullmatch(verb) else verb


def past(verb):
    return verb[:-1] + "ied" if CONSONANT_Y.fullmatch(verb) else stem(verb) + "ed"


class Pairs:
    """Pairs of words that are frequent in the text, by what relates them."""

    def __init__(self, lexicon, count):
        self.lexicon = lexicon
        self.count = count
        self.known = [word for word, times in count.items() if times >= LEAST]
        self.frequent = set(self.known)

    def inflected(self, letter):
        return [word for word in self.known
                if len(word) >= SHORTEST and self.lexicon.is_mainly(word, letter)]

    def is_form(self, word):
        """Frequent, and no headword of its own."""
        return word in self.frequent and word not in self.lexicon.senses

    def countries(self):
        states = {key for key, (words, _) in self.lexicon.synsets.items()
                  if key[0] == "n" and {"country", "state", "sovereign_state"} & set(words)}
        return {key for key, _, _, _ in self.lexicon.pointers("@i")
                if states & self.lexicon.above(key).keys()}

    def commonest(self, synset):
        return max((word for word in self.lexicon.synsets[synset][0] if word in self.frequent),
                   key=lambda word: (self.count[word], word), default="")

    def capitals(self):
        capitals = {key for key, other, _, _ in self.lexicon.pointers("@i")
                    if "national_capital" in self.lexicon.synsets[other][0]}
        countries = self.countries()
        found = ((self.commonest(city), self.commonest(country))
                 for city, country, _, _ in self.lexicon.pointers("#p")
                 if city in capitals and country in countries)
        return [(city, country) for city, country in found if city and country]

    def nationalities(self):
        countries = self.countries()
        return [(noun, adjective) for key, other, adjective, noun in self.lexicon.pointers("\\")
                if key[0] == "a" and other in countries]

    def opposites(self):
        found = [(one, NEGATED.fullmatch(two)) for key, other, one, two in
                 self.lexicon.pointers("!") if key[0] == other[0]]
        return [(one, match[0]) for one, match in found if match and match[2] == one]

    def adverbs(self):
        return [(adjective, adverb) for key, _, adverb, adjective in self.lexicon.pointers("\\")
                if key[0] == "r" and adverb.startswith(adjective[:-1]) and adverb.endswith("ly")]

    def compared(self, ending):
        irregular = self.lexicon.irregular("adj")
        for word in self.known:
            if len(word) < SHORTEST or not self.lexicon.can_be(word, "a"):
                continue
            own = [form for form in irregular[word] if form.endswith(ending)]
            regular = word + ending[word.endswith("e"):]
            yield from ((word, form) for form in own or [regular] if self.is_form(form))

    def plurals(self):
        irregular = self.lexicon.irregular("noun")
        found = ((word, (irregular[word] or [with_s(word)])[0]) for word in self.inflected("n"))
        return [(word, form) for word, form in found if self.is_form(form)]

    def past_tenses(self):
        irregular = self.lexicon.irregular("verb")
        for word in self.inflected("v"):
            own = [form for form in irregular[word]
                   if not form.endswith("ing") and form not in self.lexicon.senses]
            yield word, own[0] if own else past(word)

    def participles(self):
        return [(word, stem(word) + "ing") for word in self.inflected("v")]

    def third_persons(self):
        return [(word, word + "es" if word.endswith("o") else with_s(word))
                for word in self.inflected("v")]

    def sections(self):
        return {"capital-country": self.capitals(), "nationality-adjective": self.nationalities(),
                "opposite": self.opposites(), "adjective-to-adverb": self.adverbs(),
                "comparative": self.compared("er"), "superlative": self.compared("est"),
                "plural": self.plurals(), "past-tense": self.past_tenses(),
                "present-participle": self.participles(), "third-person": self.third_persons()}

    def best(self, pairs):
        """The most frequent pairs, without those that share a word with a more frequent one."""
        pairs = {pair for pair in pairs if set(pair) <= self.frequent and pair[0] != pair[1]}
        chosen, used = [], set()
        order = sorted(pairs, key=lambda pair: (sorted(-self.count[word] for word in pair)[::-1],
                                                pair))
        for pair in order[:PAIRS]:
            if not used & set(pair):
                chosen.append(pair)
                used |= set(pair)
        return chosen


def two_of(items, generator):
    first = drawing.below(generator, len(items))
    second = drawing.below(generator, len(items) - 1)
    return items[first], items[second + (second >= first)]


def comparisons(pairs, generator):
    """Pairs of nouns, every second draw from those right below one synset: of pairs that are drawn
    from all nouns, few are alike."""
    lexicon = pairs.lexicon
    nouns = sorted(pairs.inflected("n"), key=lambda word: (-pairs.count[word], word))[:NOUNS]
    below = {}
    for noun in nouns:
        for symbol, other, _, _ in lexicon.synsets[lexicon.senses[noun][0]][1]:
            if symbol == "@":
                below.setdefault(other, []).append(noun)
    groups = list(below.values())
    chosen = set()
    while len(chosen) < min(COMPARISONS, len(nouns) * (len(nouns) - 1) // 2):
        near = groups and generator.getrandbits(1)
        group = groups[drawing.below(generator, len(groups))] if near else nouns
        if len(group) > 1:
            chosen.add(tuple(sorted(two_of(group, generator))))
    return [(one, two, lexicon.likeness(lexicon.senses[one][0], lexicon.senses[two][0]))
            for one, two in sorted(chosen)]


def write(folder, count, out):
    """`count`: how often the text has each word. Returns the numbers of questions."""
    generator = random.Random(SEED)
    pairs = Pairs(Lexicon(folder), count)
    analogies = 0
    with open(out / "analogies.txt", "w", encoding="ascii", newline="\n") as file:
        for name, related in pairs.sections().items():
            questions = drawing.shuffled(itertools.permutations(pairs.best(related), 2), generator)
            analogies += len(questions[:QUESTIONS])
            file.write(f": {name}\n")
            file.writelines(f"{' '.join(one + two)}\n" for one, two in questions[:QUESTIONS])
    compared = comparisons(pairs, generator)
    with open(out / "similarities.tsv", "w", encoding="ascii", newline="\n") as file:
        file.writelines(f"{one}\t{two}\t{score:.4f}\n" for one, two, score in compared)
    return {"analogies": analogies, "similarities": len(compared)}
