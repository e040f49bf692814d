"""Triples (subject, relation, object) of names to a folder in LibKGE's layout."""
import collections
import random

from command import write_counts
from drawing import shuffled

SEED = 1


def unique(triples):
    """Sorted, each once, without those from an entity to itself."""
    return sorted({triple for triple in triples if triple[0] != triple[2]})


def uses(triples):
    """How often each entity and each relation occurs."""
    entities, relations = collections.Counter(), collections.Counter()
    for subject, relation, thing in triples:
        entities[subject] += 1
        entities[thing] += 1
        relations[relation] += 1
    return entities, relations


def core(triples, least):
    """The triples of entities that occur `least` times each, counting such triples only."""
    while True:
        entities, _ = uses(triples)
        kept = [triple for triple in triples
                if entities[triple[0]] >= least and entities[triple[2]] >= least]
        if len(kept) == len(triples):
            return kept
        triples = kept


def groups(triples, keep_pairs):
    """What must stay together: each triple, or all triples between the same two entities."""
    if not keep_pairs:
        return [[triple] for triple in triples]
    of_pair = collections.defaultdict(list)
    for triple in triples:
        of_pair[min(triple[0], triple[2]), max(triple[0], triple[2])].append(triple)
    return [of_pair[pair] for pair in sorted(of_pair)]


def split(triples, held_out, keep_pairs):
    """Train, valid and test, of which the last two have about `held_out` triples each. A group is
    held out only while all its entities and relations stay in train."""
    generator = random.Random(SEED)
    entities, relations = uses(triples)
    train, held = [], []
    for group in shuffled(groups(triples, keep_pairs), generator):
        of_entity, of_relation = uses(group)
        if (len(held) < 2 * held_out
                and all(entities[name] > count for name, count in of_entity.items())
                and all(relations[name] > count for name, count in of_relation.items())):
            entities.subtract(of_entity)
            relations.subtract(of_relation)
            held.extend(group)
        else:
            train.extend(group)
    return shuffled(train, generator), held[:held_out], held[held_out:]


def write_ids(path, names):
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{number}\t{name}\n" for number, name in enumerate(names))


def by_frequency(count):
    return sorted(count, key=lambda name: (-count[name], name))


def write(out, triples, held_out, keep_pairs):
    """Splits and writes. Ids are by falling frequency in train."""
    parts = dict(zip(("train", "valid", "test"), split(triples, held_out, keep_pairs)))
    entities, relations = map(by_frequency, uses(parts["train"]))
    write_ids(out / "entity_ids.del", entities)
    write_ids(out / "relation_ids.del", relations)
    entity = {name: number for number, name in enumerate(entities)}
    relation = {name: number for number, name in enumerate(relations)}
    for name, part in parts.items():
        with open(out / f"{name}.del", "w", encoding="ascii", newline="\n") as file:
            for triple in part:
                file.write(f"{entity[triple[0]]}\t{relation[triple[1]]}\t{entity[triple[2]]}\n")
    write_counts(out, {"entities": len(entities), "relations": len(relations),
                       **{name: len(part) for name, part in parts.items()}})
