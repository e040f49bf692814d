"""What a run and an export leave behind where there is no room for their files."""

import json
import resource
import subprocess
import unittest

from tests.cli.program import PROGRAM, SMALL, ProgramTest

LIMIT = 64 << 10  # bytes; a checkpoint of WIDE needs 500 kB, all else a few
WIDE = SMALL.replace("rank: 4", "rank: 1000") + "checkpoint: {every: 1}\n"
REASON = "File too large"


class FullDisk(ProgramTest):
    def limited(self, *arguments):
        """No file may become longer than LIMIT."""
        return subprocess.run(
            [PROGRAM, *map(str, arguments)], cwd=self.folder, env=self.environment, text=True,
            capture_output=True, timeout=60, restore_signals=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT)))

    def on_small_disk(self, kilobytes, *arguments):
        """`arguments` write into the folder `disk`; what is there in the end is copied to `kept`."""
        (self.folder / "disk").mkdir()
        unshare = ["unshare", "--user", "--map-root-user", "--mount"]
        mount = f"mount -t tmpfs -o size={kilobytes}k none disk"
        if subprocess.run([*unshare, "sh", "-c", mount], cwd=self.folder,
                          capture_output=True).returncode != 0:
            self.skipTest("no file system can be mounted here")
        return subprocess.run(
            [*unshare, "sh", "-c", mount + ' && "$@"; code=$?; cp -r disk kept; exit $code', "-",
             PROGRAM, *map(str, arguments)], cwd=self.folder, env=self.environment, text=True,
            capture_output=True, timeout=60)

    def test_a_checkpoint_that_finds_no_room_fails_its_run_which_keeps_the_rest(self):
        file = self.write("small.yaml", WIDE)
        result = self.limited("run", file, "--no-figures")
        self.assertEqual(result.returncode, 1, result.stderr)
        ((run, summary),) = self.summaries().items()
        folder = self.results() / run
        self.assertEqual((summary["status"], summary["epochs"]), ("failed", 1))
        self.assertRegex(summary["error"],
                         rf"cannot write the checkpoint .*/epoch-1.part/node-\d.bin: {REASON}")
        self.assertIn(summary["error"], result.stderr)
        self.assertEqual(list((folder / "checkpoints").iterdir()), [])
        self.assertEqual(list(folder.glob("*.part")), [])
        self.assertIn("run failed: cannot write", (folder / "log.txt").read_text())
        shown = next(line for line in result.stdout.splitlines() if "(failed)" in line)
        self.assertIn(f"{summary['metrics']['test_rmse']:.4g}", shown)
        self.pslab("resume", "results/small", "--no-figures")
        (summary,) = self.summaries().values()
        self.assertEqual((summary["status"], summary["epochs"]), ("succeeded", 2))

    def test_events_that_find_no_room_fail_their_run_which_says_how_it_ended(self):
        file = self.write("small.yaml", SMALL.replace("epochs: 2", "epochs: 1000"))
        result = self.on_small_disk(160, "run", file, "--no-figures", "--out", "disk")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("events.jsonl.part: No space left on device. What was written before is "
                      "kept", result.stderr)
        (path,) = (self.folder / "kept").glob("small/*/summary.json")
        summary = json.loads(path.read_text())
        self.assertEqual(summary["status"], "failed")
        lines = (path.parent / "events.jsonl").read_text().splitlines()
        events = [json.loads(line) for line in lines]
        self.assertEqual([event["epoch"] for event in events[1:-1]],
                         list(range(1, summary["epochs"] + 1)))
        self.assertGreater(summary["epochs"], 10)
        self.assertEqual(events[-1]["status"], "failed")

    def test_no_room_for_how_a_run_ended_is_said_beside_what_is_kept(self):
        file = self.write("small.yaml", SMALL)
        result = self.on_small_disk(16, "run", file, "--no-figures", "--out", "disk")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stderr, "error: cannot write .*/room.part: No space left on device. "
                                        "What was written before is kept; go on, when this is "
                                        "solved, with: .* resume .*disk/small")
        self.assertEqual(list(self.folder.rglob("*.tmp")), [])

    def test_an_export_leaves_all_files_or_none(self):
        self.run_small(text=WIDE)
        (run,) = self.summaries()
        for place in (self.results() / run / "model", self.folder / "new"):
            result = self.limited("export", self.results() / run, "--out", place)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertRegex(result.stderr, rf"no model was written: .*[WH]\.mma.*: .*{REASON}")
            self.assertEqual(result.stdout, "")
            self.assertFalse(place.exists())
        place.mkdir()
        (place / "mine").write_text("kept")
        self.limited("export", self.results() / run, "--out", place)
        self.assertEqual([path.name for path in place.iterdir()], ["mine"])
        self.pslab("export", self.results() / run, "--out", place)
        self.assertEqual({path.name for path in place.iterdir()},
                         {"mine", "W.mma", "H.mma", "mean.mma"})


if __name__ == "__main__":
    unittest.main()
