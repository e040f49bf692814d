"""Random choices that are the same on every machine and in every version of Python.

They are spelled out on top of the bits of the Mersenne Twister, whose output Python guarantees.
"""


def below(generator, limit):
    """A number from 0 to limit - 1: bits are drawn again until they are below."""
    number = generator.getrandbits(limit.bit_length())
    while number >= limit:
        number = generator.getrandbits(limit.bit_length())
    return number


def shuffled(items, generator):
    """A list of the items in random order (Fisher-Yates)."""
    items = list(items)
    for last in range(len(items) - 1, 0, -1):
        chosen = below(generator, last + 1)
        items[last], items[chosen] = items[chosen], items[last]
    return items
