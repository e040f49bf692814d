"""./pslab: finding and installing the Debian packages that it needs."""

import unittest

from tests.script.sandbox import Sandbox

MISSING = "ninja-build\nlibsimgrid-dev\n"
COMMAND = ("apt-get update && apt-get install --no-install-recommends -y "
           "ninja-build libsimgrid-dev\n")


class PackagesTest(unittest.TestCase):
    def setUp(self):
        self.box = Sandbox()
        self.addCleanup(self.box.close)

    def calls(self, tool):
        return [call for call in self.box.take_calls() if call.startswith(tool)]

    def assert_refused(self, run, reason):
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("  ninja-build: runs the build\n  libsimgrid-dev: the simulator", run.stderr)
        self.assertIn(reason, run.stderr)
        self.assertIn(COMMAND, run.stderr)
        self.assertEqual(self.box.builds(), [])

    def assert_installed(self, run):
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("apt says", run.stdout)
        self.assertIn("apt says something", run.stderr)
        self.assertFalse((self.box.root / "missing").exists())

    def test_packages_are_asked_for_in_one_call_and_only_once(self):
        self.assertEqual(self.box.run().returncode, 0)
        self.assertEqual(len(self.calls("dpkg-query")), 1)
        self.assertEqual(self.box.run().returncode, 0)
        self.assertEqual(self.calls("dpkg-query"), [])

    def test_a_changed_list_is_checked_again(self):
        self.box.run()
        self.box.take_calls()
        packages = self.box.root / "tools/packages.sh"
        packages.write_text(packages.read_text().replace('"python3: ', '"libnew-dev: news"\n"python3: '))
        self.box.run()
        (call,) = self.calls("dpkg-query")
        self.assertIn(" libnew-dev ", call)

    def test_packages_are_checked_again_after_a_failed_build(self):
        self.box.run()
        self.box.take_calls()
        self.box.make_older("build/release/pslab-bin", 1000)
        self.box.write("broken", "no header")
        self.box.run()
        self.box.run()
        self.assertEqual(len(self.calls("dpkg-query")), 1)

    def test_tools_of_the_checks_are_needed_by_test_only(self):
        self.box.write("missing", "clang-tidy\n")
        self.assertEqual(self.box.run().returncode, 0)
        run = self.box.run("test")
        self.assertEqual(run.returncode, 2)
        self.assertIn("  clang-tidy: finds suspicious code\n", run.stderr)

    def test_without_root_and_sudo_an_administrator_is_told_what_to_run(self):
        self.box.write("missing", MISSING)
        self.assert_refused(self.box.run("list"), "you are not root")

    def test_a_sudo_that_needs_a_password_nobody_can_give_is_not_used(self):
        self.box.write("missing", MISSING)
        self.box.stand_in("sudo", "exit 1")
        self.assert_refused(self.box.run("list"), "you are not root")
        self.assertEqual(self.calls("sudo"), ["sudo -n true"])

    def test_without_apt_get_the_packages_are_named(self):
        self.box.write("missing", MISSING)
        (self.box.bin / "apt-get").unlink()
        self.assert_refused(self.box.run("list"), "there is no apt-get here")

    def test_sudo_without_a_password_installs(self):
        self.box.write("missing", MISSING)
        self.box.stand_in("sudo", '[[ $1 == -n ]] || exec "$@"')
        self.assert_installed(self.box.run("list"))

    def test_root_installs_after_fetching_lists_that_are_not_there(self):
        self.box.write("missing", MISSING)
        self.box.stand_in("id", "echo 0")
        self.assert_installed(self.box.run("list"))
        simulate, update, install = self.calls("apt-get")
        self.assertIn("--simulate", simulate)
        self.assertIn("update", update)
        self.assertTrue(install.endswith(" --no-install-recommends install ninja-build libsimgrid-dev"),
                        install)

    def test_lists_that_are_there_are_not_fetched(self):
        self.box.write("missing", MISSING)
        self.box.stand_in("id", "echo 0")
        (self.box.root.parent / "lists").touch()
        self.assert_installed(self.box.run("list"))
        self.assertEqual([call for call in self.calls("apt-get") if "update" in call], [])

    def test_a_failing_apt_get_is_tried_once_more_with_new_lists(self):
        self.box.write("missing", MISSING)
        self.box.stand_in("id", "echo 0")
        self.box.stand_in("apt-get", "exit 100")
        run = self.box.run("list")
        self.assertEqual(run.returncode, 2)
        self.assertIn("apt-get failed, see above", run.stderr)
        self.assertIn(COMMAND, run.stderr)

    def test_elsewhere_than_debian_the_tools_are_enough(self):
        (self.box.bin / "dpkg-query").unlink()
        for tool in ["ninja", "c++", "python3"]:
            self.box.stand_in(tool, ":")
        self.assertEqual(self.box.run().returncode, 0)

    def test_elsewhere_than_debian_missing_tools_are_named(self):
        (self.box.bin / "dpkg-query").unlink()
        self.box.stand_in("python3", ":")
        run = self.box.run()
        self.assertEqual(run.returncode, 2)
        self.assertIn("not found: ninja c++. This is not Debian", run.stderr)
        self.assertIn("  libsimgrid-dev: the simulator", run.stderr)


if __name__ == "__main__":
    unittest.main()
