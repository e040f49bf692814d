"""tools/check_layers.py: each rule accepts what it should and can fail."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(__file__).resolve().parents[2] / "tools" / "check_layers.py"


class CheckLayersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pslab layers ")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path, text):
        """Writes a file, and a README beside it and in every folder above that needs one."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        parts = path.split("/")
        for depth in range(1, len(parts)):
            readme = self.root.joinpath(*parts[:depth], "README.md")
            if not readme.exists():
                readme.write_text("# what it is for\n", encoding="utf-8")

    def flaws(self):
        """The lines printed; checks that the exit code agrees."""
        run = subprocess.run([sys.executable, CHECK, self.root], capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        self.assertEqual(run.returncode, 1 if run.stdout else 0)
        return run.stdout.splitlines()

    def assert_good(self, path, text):
        self.write(path, text)
        self.assertEqual(self.flaws(), [])

    def assert_flaw(self, path, text, line, rule):
        self.write(path, text)
        flaws = self.flaws()
        self.assertEqual(len(flaws), 1, flaws)
        self.assertTrue(flaws[0].startswith(f"{path}:{line}: {rule}: "), flaws)

    def test_an_empty_tree_is_good(self):
        self.assertEqual(self.flaws(), [])

    def test_a_layer_may_include_itself_and_what_lies_below(self):
        self.assert_good("src/graph/a.cpp",
                         '#include "graph/a.hpp"\n#include <vector>\n#include "base/types.hpp"\n')

    def test_an_include_that_points_up_is_a_flaw(self):
        self.assert_flaw("src/base/a.hpp", '#pragma once\n#include "config/value.hpp"\n', 2, "layers")

    def test_a_strategy_must_not_reach_into_the_mechanisms(self):
        self.assert_flaw("strategies/static.cpp", '#include "manager/store.hpp"\n', 1, "layers")

    def test_a_scheme_in_a_subfolder_is_a_strategy_too(self):
        self.assert_flaw("strategies/sampling/reuse.cpp", '#include "run/run.hpp"\n', 1, "layers")

    def test_a_workload_must_not_know_a_backend(self):
        self.assert_flaw("workloads/kge/kge.cpp", '#include "sim/runtime.hpp"\n', 1, "layers")

    def test_a_relative_include_that_leaves_the_layer_is_seen(self):
        self.write("src/graph/graph.hpp", "#pragma once\n")
        self.assert_flaw("src/data/a.cpp", '#include "../graph/graph.hpp"\n', 1, "layers")

    def test_an_include_beside_the_file_is_its_own_layer(self):
        self.write("workloads/kge/config/value.hpp", "#pragma once\n")
        self.assert_good("workloads/kge/kge.cpp", '#include "config/value.hpp"\n')

    def test_tests_may_include_every_layer(self):
        self.assert_good("tests/unit/a.cpp", '#include "manager/store.hpp"\n#include "sim/a.hpp"\n')

    def test_an_unknown_folder_of_src_must_be_given_a_layer(self):
        self.assert_flaw("src/misc/a.cpp", "int a;\n", 1, "layers")

    def test_a_commented_include_does_not_count(self):
        self.assert_good("src/base/a.cpp", '// #include "cli/a.hpp"\n/*\n#include "cli/a.hpp"\n*/\n')

    def test_mpi_is_for_real_only(self):
        self.assert_good("real/runtime.cpp", "#include <mpi.h>\n")
        self.assert_flaw("sim/runtime.cpp", "#include <mpi.h>\n", 1, "library")

    def test_simgrid_is_for_sim_only(self):
        self.assert_good("sim/runtime.cpp", "#include <simgrid/s4u.hpp>\n#include <xbt/log.h>\n")
        for path in ["real/a.cpp", "src/run/a.cpp", "strategies/a.cpp", "tests/unit/a.cpp"]:
            with self.subTest(path):
                self.assert_flaw(path, "#include <simgrid/s4u.hpp>\n", 1, "library")
                (self.root / path).unlink()

    def test_the_kernel_interface_of_simgrid_is_for_one_file_only(self):
        self.assert_good("sim/kernel.cpp", "#include <simgrid/kernel/Timer.hpp>\n")
        for header in ["simgrid/kernel/Timer.hpp", "simgrid/simix.hpp"]:
            with self.subTest(header):
                self.assert_flaw("sim/a.cpp", f"#include <{header}>\n", 1, "library")

    def test_forbidden_constructs_are_found(self):
        for rule, code in [("global-random", "int a = rand();"),
                           ("global-random", "std::srand(7);"),
                           ("clock-seed", "auto a = time(0);"),
                           ("clock-seed", "auto a = std::time(nullptr);"),
                           ("random-device", "std::random_device device;"),
                           ("thread-local", "thread_local int a = 0;")]:
            with self.subTest(code):
                self.assert_flaw("src/base/a.cpp", f"\n{code}\n", 2, rule)

    def test_look_alikes_comments_and_strings_are_not_forbidden(self):
        self.assert_good("src/base/a.cpp", """\
            // rand() and thread_local
            /* std::random_device
               time(0) */
            auto a = operand(1) + random.rand(2) + Philox::rand(3) + wait_time(0);
            auto b = "rand() // thread_local";
            auto c = R"x(srand(1) " thread_local)x";
            auto d = '"'; int e = 1'000; auto f = '\\'';
            """)

    def test_code_behind_a_digit_separator_or_a_quote_is_still_read(self):
        self.assert_flaw("src/base/a.cpp", "int a = 1'000; int b = rand(); int c = 1'000;\n", 1,
                         "global-random")

    def test_catch_all_must_pass_the_exception_on(self):
        self.assert_good("src/run/good.cpp", """
            void f() {
              try { g(); } catch (...) { if (a) { b(); } throw; }
              try { g(); } catch (...) { error = std::current_exception(); }
              try { g(); } catch (const std::exception& e) { report(e); }
            }""")
        self.assert_flaw("src/run/a.cpp", "void f() {\n  try { g(); } catch (...) { h(); }\n  throw;\n}\n",
                         2, "catch-all")

    def test_using_namespace_at_file_scope_of_a_header(self):
        self.assert_good("src/base/a.cpp", "using namespace pslab;\n")
        self.assert_good("src/base/b.hpp", "inline void f() {\n  using namespace std::literals;\n}\n")
        self.assert_flaw("src/base/c.hpp", "#pragma once\nusing namespace std;\n", 2, "using-namespace")

    def test_files_have_at_most_400_lines(self):
        self.assert_good("src/base/good.cpp", "\n" * 400)
        for path in ["src/base/a.cpp", "tests/unit/a.hpp", "analysis/a.py", "tools/a.sh", "pslab"]:
            with self.subTest(path):
                self.assert_flaw(path, "\n" * 401, 401, "size")
                (self.root / path).unlink()

    def test_interface_headers_have_at_most_100_lines(self):
        self.assert_good("src/api/good.hpp", "\n" * 100)
        self.assert_flaw("src/api/a.hpp", "\n" * 101, 101, "size")

    def test_every_folder_at_the_top_and_in_src_has_a_readme(self):
        self.write("configs/smoke/a.yaml", "")
        self.write("src/base/a.cpp", "")
        (self.root / "configs/README.md").unlink()
        (self.root / "src/base/README.md").unlink()
        self.assertEqual([flaw.split(": ")[:2] for flaw in self.flaws()],
                         [["configs/README.md:1", "readme"], ["src/base/README.md:1", "readme"]])

    def test_what_is_not_source_is_left_out(self):
        for folder in [".git", "build", "results", "src/base/__pycache__"]:
            (self.root / folder).mkdir(parents=True)
            (self.root / folder / "a.cpp").write_text("int a = rand();\n")
        self.assertEqual(self.flaws(), [])

    def test_relative_links_must_lead_somewhere(self):
        self.write("tests/unit/a.cpp", "")
        self.assert_good("README.md", "[a](tests/unit/) [b](tests/unit/a.cpp#L1) [c](https://x.org/y)\n"
                         "[d](#part) `[e](gone)`\n```\n[f](gone)\n```\n")
        self.assert_flaw("tests/README.md", "text\n[a](tests/unit/a.cpp)\n", 2, "link")


if __name__ == "__main__":
    unittest.main()
