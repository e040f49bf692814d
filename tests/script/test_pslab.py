"""./pslab: setting up, building, handing over to the program and to ctest."""

import os
import signal
import time
import unittest

from tests.script.sandbox import Sandbox


class PslabTest(unittest.TestCase):
    def setUp(self):
        self.box = Sandbox()
        self.addCleanup(self.box.close)

    def assert_runs(self, *arguments, **options):
        run = self.box.run(*arguments, **options)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run


class ProgramTest(PslabTest):
    def test_the_program_gets_the_arguments_as_they_are_and_the_users_folder(self):
        arguments = ["run", "a file.yaml", "", "x=*", "$HOME", "--json"]
        for script in [self.box.root / "pslab", "../pslab"]:
            with self.subTest(script):
                here = self.box.root / "sub folder"
                here.mkdir(exist_ok=True)
                run = self.assert_runs(*arguments, script=script, cwd=here)
                self.assertEqual(run.stdout, f"in {here} of {self.box.root}, called {script}\n" +
                                 "".join(f"<{argument}>\n" for argument in arguments))

    def test_it_works_through_symlinks(self):
        first, second = self.box.root.parent / "first", self.box.root.parent / "second"
        first.symlink_to("the project/pslab")
        second.symlink_to(first)
        run = self.assert_runs("list", script=second, cwd="/")
        self.assertEqual(run.stdout, f"in / of {self.box.root}, called {second}\n<list>\n")

    def test_an_outer_PSLAB_ROOT_does_not_matter(self):
        run = self.assert_runs(PSLAB_ROOT="/elsewhere")
        self.assertIn(f"of {self.box.root}, ", run.stdout)

    def test_exit_code_and_standard_input_are_the_programs(self):
        self.assertEqual(self.box.run(PROGRAM_EXIT="7").returncode, 7)
        self.box.write("program.sh", "#!/usr/bin/env bash\ncat\n")
        (self.box.root / "build/release/pslab-bin").unlink()
        self.assertEqual(self.assert_runs(stdin="typed").stdout, "typed")

    def test_a_signal_reaches_the_program(self):
        self.box.write("program.sh", "#!/usr/bin/env bash\ntrap 'exit 9' TERM\necho up\n"
                       "while true; do sleep 0.05; done\n")
        process = self.box.start()
        self.assertEqual(process.stdout.readline(), "up\n")
        process.terminate()
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 9)


class BuildTest(PslabTest):
    def test_the_first_call_configures_and_builds_the_program_only(self):
        run = self.assert_runs(PSLAB_JOBS="3")
        calls = [call for call in self.box.take_calls() if call.startswith("cmake")]
        build = f"cmake --build {self.box.root}/build/release --target pslab_program -j 3 --"
        self.assertEqual(calls, ["cmake --fresh --preset release", build])
        self.assertIn("[1/2] Compiling a.cpp\n[2/2] Linking pslab-bin\n", run.stderr)

    def test_nothing_is_built_or_said_when_nothing_changed(self):
        self.assert_runs()
        self.box.take_calls()
        run = self.assert_runs()
        self.assertEqual(run.stderr, "")
        self.assertEqual(len(self.box.take_calls()), 1)  # ninja's dry run
        self.assertEqual(self.box.builds(), ["begin", "end"])

    def test_a_change_is_built(self):
        self.assert_runs()
        self.box.write("program.sh", "#!/usr/bin/env bash\necho changed\n")
        self.box.make_older("build/release/pslab-bin", 10)
        self.assertEqual(self.assert_runs().stdout, "changed\n")

    def test_changed_presets_and_a_moved_project_are_configured_again(self):
        self.assert_runs()
        self.box.take_calls()
        self.box.make_older("CMakePresets.json", -10)
        self.assert_runs()
        self.assertIn("cmake --fresh --preset release", self.box.take_calls())
        self.box.make_older("CMakePresets.json", 20)
        self.box.root = self.box.root.rename(self.box.root.parent / "moved project")
        self.assert_runs()
        self.assertIn("cmake --fresh --preset release", self.box.take_calls())

    def test_a_failed_build_shows_what_failed_and_ends_with_1(self):
        self.box.write("broken", "a.cpp:1: no such thing")
        for attempt in ["first", "second"]:
            with self.subTest(attempt):
                run = self.box.run("run", "a.yaml")
                self.assertEqual((run.returncode, run.stdout), (1, ""))
                self.assertIn("FAILED: a.o\na.cpp:1: no such thing\n", run.stderr)
                self.assertIn(f"the whole log is in {self.box.root}/build/release.log", run.stderr)
        (self.box.root / "broken").unlink()
        self.assert_runs()

    def test_a_failed_configuration_is_tried_again(self):
        cmake = (self.box.bin / "cmake").read_text()
        self.box.stand_in("cmake", 'echo "CMake Error: no compiler"; exit 1')
        run = self.box.run()
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("CMake Error: no compiler", run.stderr)
        (self.box.bin / "cmake").write_text(cmake)
        self.assert_runs()

    def test_build_takes_a_preset(self):
        run = self.assert_runs("build", "asan")
        self.assertEqual(run.stdout, "")
        self.assertIn("cmake --fresh --preset asan", self.box.take_calls())
        run = self.box.run("build", "fast")
        self.assertEqual(run.returncode, 2)
        self.assertIn("unknown preset 'fast'; allowed: release debug asan ubsan tsan", run.stderr)

    def test_two_calls_at_a_time_build_one_after_the_other(self):
        self.box.write("slow", "0.5")
        first = self.box.start()
        while not self.box.builds():
            time.sleep(0.01)
        second = self.box.run()
        first.communicate(timeout=20)
        self.assertEqual((first.returncode, second.returncode), (0, 0))
        self.assertIn("waiting for another pslab", second.stderr)
        self.assertEqual(self.box.builds(), ["begin", "end"])

    def test_an_interrupted_build_ends_the_script_and_starts_nothing(self):
        self.box.write("slow", "20")
        process = self.box.start()
        while not self.box.builds():
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=10)
        self.assertEqual((process.returncode, out), (-signal.SIGINT, ""))

    def test_a_wrong_number_of_jobs_is_refused(self):
        run = self.box.run(PSLAB_JOBS="many")
        self.assertEqual(run.returncode, 2)
        self.assertIn("PSLAB_JOBS is 'many'; it must be a positive number", run.stderr)


class TestCommandTest(PslabTest):
    def ctest_calls(self):
        return [call for call in self.box.take_calls() if call.startswith("ctest")]

    def test_everything_is_built_and_the_exit_code_is_that_of_ctest(self):
        run = self.box.run("test", PSLAB_JOBS="2")
        self.assertEqual((run.returncode, run.stdout), (8, ""), run.stderr)
        calls = self.box.take_calls()
        root = self.box.root
        self.assertIn(f"cmake --build {root}/build/release --target all -j 2 --", calls)
        self.assertEqual(calls[-1], f"ctest --test-dir {root}/build/release --output-on-failure "
                         "--no-tests=error -j 2")

    def test_arguments_go_to_ctest_and_a_preset_chooses_the_build(self):
        for preset in [["--preset", "asan"], ["--preset=asan"]]:
            with self.subTest(preset):
                self.box.run("test", *preset, "-R", "a name")
                (call,) = self.ctest_calls()
                self.assertIn("/build/asan ", call)
                self.assertTrue(call.endswith(" -R a name"), call)

    def test_of_a_sanitizer_only_what_its_tests_need_is_built(self):
        for arguments, target in [(["-L", "threads"], "tests_threads"), (["-L", "real"], "all")]:
            self.box.run("test", "--preset", "tsan", *arguments)
            self.assertIn(f"build/tsan --target {target} -j ", "\n".join(self.box.take_calls()))

    def test_a_missing_preset_name_is_refused(self):
        self.assertEqual(self.box.run("test", "--preset").returncode, 2)

    def test_a_style_flaw_stops_all_tests_but_not_chosen_ones(self):
        self.box.write_check("check_format.sh", "echo a flaw; exit 1")
        self.box.write_check("check_layers.py", "echo another; exit 1")
        run = self.box.run("test")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("a flaw\nanother\npslab: style check failed: tools/check_format.sh "
                      "tools/check_layers.py\n", run.stderr)
        self.assertEqual(self.ctest_calls(), [])
        self.assertEqual(self.box.run("test", "-R", "name").returncode, 8)

    def test_a_check_whose_tool_is_missing_is_skipped_aloud(self):
        self.box.write_check("check_scripts.sh", "echo no shellcheck; exit 2")
        run = self.box.run("test")
        self.assertEqual(run.returncode, 8)
        self.assertIn("no shellcheck\npslab: skipped tools/check_scripts.sh\n", run.stderr)

    def test_a_broken_build_is_not_tested(self):
        self.box.write("broken", "no")
        self.assertEqual(self.box.run("test").returncode, 1)
        self.assertEqual(self.ctest_calls(), [])


if __name__ == "__main__":
    unittest.main()
