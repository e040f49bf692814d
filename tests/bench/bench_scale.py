"""What a simulated step costs as the cluster grows: processor time of a whole run, over its steps.

    python3 -m tests.bench.bench_scale [NODES ...]

For adaptive and hybrid, on 16, 64, 256 and 1024 nodes x 4 workers: time, peak memory, and the ratio to
the smallest. On 1024 nodes the run is configs/scale.yaml as it is; on fewer, each worker does the
same with as many keys per node.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("PSLAB_BIN", str(PROJECT / "build" / "release" / "pslab-bin"))
CONFIG = PROJECT / "configs" / "scale.yaml"
WORKERS = 4


def value_of(option):
    return int(re.search(rf"\b{option}: *([0-9]+)", CONFIG.read_text()).group(1))


def measure(strategy, nodes, folder):
    """Seconds of processor time, seconds that passed, bytes at most."""
    keys = value_of("keys") * nodes // value_of("nodes")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    subprocess.run([PROGRAM, "run", CONFIG, f"strategy={{name: {strategy}}}", f"cluster.nodes={nodes}",
                    f"workload.keys={keys}", "--out", folder, "--force", "--no-figures", "--quiet"],
                   env=dict(os.environ, PSLAB_ROOT=str(PROJECT)), check=True,
                   stdout=subprocess.DEVNULL)
    passed = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, passed, after.ru_maxrss * 1024  # of the largest child so far: sizes grow


def main():
    sizes = sorted(int(text) for text in sys.argv[1:]) or [16, 64, 256, 1024]
    for strategy in ("hybrid", "adaptive"):
        first = None
        for nodes in sizes:
            with tempfile.TemporaryDirectory() as folder:
                used, passed, memory = measure(strategy, nodes, folder)
            per_step = used / (nodes * WORKERS * value_of("steps"))
            first = first or per_step
            print(f"{strategy:8} {nodes:5} nodes: {passed:6.1f} s, {per_step * 1e6:5.1f} us a step, "
                  f"{per_step / first:4.1f} times that of {sizes[0]} nodes, at most "
                  f"{memory / 2**30:.1f} GiB so far", flush=True)


if __name__ == "__main__":
    main()
