"""Names of configurations, metrics and parts of the time, in words; only what differs is said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analysis.config import flatten_flow
from analysis.load import Configuration, Run

PART_NAMES = {
    "compute": "compute",
    "local_access": "local access",
    "remote_wait": "waiting for remote access",
    "relocation_wait": "waiting for relocation",
    "barrier_wait": "waiting at barriers",
}
ACRONYMS = {"rmse": "RMSE", "mse": "MSE", "mae": "MAE", "mrr": "MRR", "auc": "AUC"}
LOWER_IS_BETTER = ("loss", "rmse", "mse", "mae", "error", "perplexity")
HIGHER_IS_BETTER = ("mrr", "hits", "accuracy", "auc", "similarity", "precision", "recall")

# Swept paths whose value has a column of its own, hence a place of its own in a label.
_COVERED = {"strategy", "strategy.name", "cluster.nodes", "cluster.workers_per_node",
            "cluster.platform", "sampling", "sampling.scheme", "backend", "workload",
            "workload.name"}
# An option is compared among the configurations that share its owner.
_OWNERS: dict[str, Callable[[Configuration], str]] = {
    "strategy": lambda configuration: configuration.strategy,
    "workload": lambda configuration: configuration.workload,
    "sampling": lambda configuration: configuration.scheme,
}


@dataclass(frozen=True)
class Labels:
    """What the labels say, in their order, and one label per configuration."""

    title: str  # such as "strategy, nodes × workers per node"
    texts: list[str]


def label_all(configurations: Sequence[Configuration]) -> Labels:
    """One distinct label per configuration, of the things in which they differ."""
    described = [_describe(configuration) for configuration in configurations]
    names = list(dict.fromkeys(name for parts in described for name in parts))
    shown = [name for name in names if _differs(name, configurations, described)]
    shown = shown or ["strategy"]
    texts = _join(described, shown)
    if len(set(texts)) < len(texts):  # the same configuration from several experiments or versions
        for parts, configuration in zip(described, configurations):
            parts["experiment"] = configuration.experiment
            parts["version"] = f"version {configuration.commit[:8]}"
        shown += [name for name in ("experiment", "version")
                  if _differs(name, configurations, described)]
        texts = _join(described, shown)
    if len(set(texts)) < len(texts):  # they differ in something that has no column
        texts = [f"{text} ({configuration.config_hash[:8]})"
                 for text, configuration in zip(texts, configurations)]
    return Labels(", ".join(name.rpartition(".")[2].replace("_", " ") for name in shown), texts)


def name_of_run(run: Run, label: str) -> str:
    """A run among those of its configuration."""
    return f"{label}, seed {run.seed}" if run.seed else label


def metric_in_words(metric: str) -> str:
    """test_rmse -> "Test RMSE (lower is better)"."""
    words = [ACRONYMS.get(word, word) for word in metric.split("_")]
    text = " ".join(words)
    text = text[:1].upper() + text[1:]
    tokens = metric.lower().split("_")
    if any(token.startswith(LOWER_IS_BETTER) for token in tokens):
        return f"{text} (lower is better)"
    if any(token.startswith(HIGHER_IS_BETTER) for token in tokens):
        return f"{text} (higher is better)"
    return text


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def cluster_text(configuration: Configuration) -> str:
    return f"{configuration.nodes} × {configuration.workers_per_node}"


def _describe(configuration: Configuration) -> dict[str, str]:
    parts = {
        "strategy": configuration.strategy,
        "nodes × workers per node": cluster_text(configuration),
        "sampling": configuration.scheme,
        "backend": configuration.backend,
        "platform": configuration.platform,
        "workload": configuration.workload,
    }
    for path, value in configuration.sweep:
        for leaf, text in flatten_flow(value, path, f"column sweep.{path}").items():
            if leaf not in _COVERED:
                parts[leaf] = f"{leaf.rpartition('.')[2].replace('_', ' ')} {text}"
            elif leaf in _OWNERS:
                parts |= _options_of(leaf, text)
    return parts


def _options_of(path: str, text: str) -> dict[str, str]:
    """Of a map in a sweep, which the table writes as "hybrid (hot_factor 5, sync_rate 50)"."""
    _, bracket, options = text.removesuffix(")").partition(" (")
    pairs = (option.partition(" ") for option in options.split(", ")) if bracket else ()
    return {f"{path}.{name}": f"{name.replace('_', ' ')} {value}" for name, _, value in pairs}


def _join(described: Sequence[dict[str, str]], shown: Sequence[str]) -> list[str]:
    return [", ".join(parts[name] for name in shown if parts.get(name)) for parts in described]


def _differs(name: str, configurations: Sequence[Configuration],
             described: Sequence[dict[str, str]]) -> bool:
    owner = _OWNERS.get(name.partition(".")[0]) if "." in name else None
    seen: dict[str, set[str]] = {}
    for configuration, parts in zip(configurations, described):
        if name in parts:
            seen.setdefault(owner(configuration) if owner else "", set()).add(parts[name])
    return any(len(values) > 1 for values in seen.values())
