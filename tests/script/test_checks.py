"""tools/check_format.sh, check_scripts.sh and check_tidy.sh on small trees."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


class CheckTest(unittest.TestCase):
    check = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pslab checks ")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write(f"tools/{self.check}", (PROJECT / "tools" / self.check).read_text()).chmod(0o755)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def run_check(self, path=None):
        environment = dict(os.environ, PATH=path or os.environ["PATH"])
        return subprocess.run([self.root / "tools" / self.check], cwd="/", env=environment,
                              capture_output=True, text=True)

    def assert_result(self, run, code, text):
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        self.assertIn(text, run.stdout + run.stderr)

    def assert_missing_tool_is_said(self, *needed):
        """With a PATH of the `needed` tools alone."""
        tools = self.root / "bin"
        tools.mkdir()
        for tool in ["bash", "dirname", "env", "readlink", *needed]:
            (tools / tool).symlink_to(shutil.which(tool))
        self.assert_result(self.run_check(path=str(tools)), 2, "not found; install the package")


@unittest.skipUnless(shutil.which("clang-format-14") or shutil.which("clang-format"),
                     "needs clang-format")
class FormatTest(CheckTest):
    check = "check_format.sh"

    def setUp(self):
        super().setUp()
        shutil.copy(PROJECT / ".clang-format", self.root)
        self.write("src/good.cpp", "int a = 1;\n")

    def test_formatted_files_are_good_and_the_build_folder_is_not_ours(self):
        self.write("build/a.cpp", "int  a;\n")
        self.assert_result(self.run_check(), 0, "")

    def test_each_unformatted_file_is_named_once_with_what_to_do(self):
        self.write("src/a.cpp", "int a;\nint  b;\nint  c;\n")
        self.write("tests/b.hpp", "int  b;\n")
        run = self.run_check()
        self.assertEqual(run.returncode, 1)
        first, second = run.stdout.splitlines()
        self.assertRegex(first, r"^src/a\.cpp:2: format: to fix: clang-format\S* -i src/a\.cpp$")
        self.assertRegex(second, r"^tests/b\.hpp:1: format: to fix: ")

    def test_a_missing_clang_format_is_said(self):
        self.assert_missing_tool_is_said()


@unittest.skipUnless(shutil.which("shellcheck"), "needs shellcheck")
class ScriptsTest(CheckTest):
    check = "check_scripts.sh"

    def setUp(self):
        super().setUp()
        self.write("pslab", "#!/usr/bin/env bash\ntrue\n")
        self.write(".ci/run", "#!/usr/bin/env bash\ntrue\n")
        self.write("tests/a.sh", "#!/usr/bin/env bash\ntrue\n")

    def test_good_scripts_are_good(self):
        self.assert_result(self.run_check(), 0, "")

    def test_each_script_is_checked(self):
        for path in ["pslab", ".ci/run", "tests/a.sh", "tools/b.sh"]:
            with self.subTest(path):
                self.write(path, "#!/usr/bin/env bash\nrm $1/*\n")
                self.assert_result(self.run_check(), 1, f"In {path} line 2:")
                self.write(path, "#!/usr/bin/env bash\ntrue\n")

    def test_a_missing_shellcheck_is_said(self):
        self.assert_missing_tool_is_said()


@unittest.skipUnless(shutil.which("clang-tidy-14") or shutil.which("clang-tidy"),
                     "needs clang-tidy")
class TidyTest(CheckTest):
    check = "check_tidy.sh"

    def setUp(self):
        super().setUp()
        shutil.copy(PROJECT / ".clang-tidy", self.root)

    def write_sources(self, **sources):
        commands = []
        for name, text in sources.items():
            file = self.write(f"src/base/{name}.cpp", text)
            commands.append({"directory": str(self.root), "file": str(file),
                             "command": "c++ -std=c++20 -Winvalid-pch -include /x/cmake_pch.hxx "
                                        f"-fpch-preprocess -c '{file}'"})
        self.write("build/release/compile_commands.json", json.dumps(commands))

    def test_good_code_is_good(self):
        self.write_sources(a="int a = 1;\n")
        run = self.run_check()
        self.assert_result(run, 0, "")
        self.assertEqual(run.stdout + run.stderr, "")

    def test_a_finding_is_shown_and_fails(self):
        self.write_sources(a="int a = 1;\n", b="struct A {\n  virtual void f();\n};\n"
                           "struct B : A {\n  virtual void f();\n};\n")
        self.assert_result(self.run_check(), 1, "b.cpp:5:16: error: prefer using 'override'")

    def test_without_a_build_it_says_what_to_do(self):
        self.assert_result(self.run_check(), 2, "run ./pslab build first")

    def test_a_missing_clang_tidy_is_said(self):
        self.assert_missing_tool_is_said()


if __name__ == "__main__":
    unittest.main()
