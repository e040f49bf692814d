"""Host files and Slurm jobs that cannot do are refused before anything is started or written."""

import os
import unittest

from tests.cli.real import REAL, RealTest


class HostFiles(RealTest):
    def assert_refused_for(self, message, *arguments):
        file = self.write("real.yaml", REAL)
        for command in ["check", "run"]:
            error = self.pslab(command, file, *arguments, code=2).stderr
            self.assertRegex(error, message)
            self.assertFalse((self.folder / "results").exists())

    def refuse_hosts(self, text, message):
        path = self.folder / "hosts"
        path.write_bytes(text.encode("latin-1"))
        self.assert_refused_for(message, "cluster.hostfile=hosts")

    def test_too_few_hosts_are_named_and_counted(self):
        need = r", but cluster.nodes=3 needs as many: each gets one process, whatever its slots"
        self.refuse_hosts("", r"hosts names 0 hosts" + need)
        self.refuse_hosts("# a\n  # b\n\n", r"hosts names 0 hosts" + need)
        self.refuse_hosts("10.0.0.1 slots=8\n10.0.0.2\n10.0.0.1\n",
                          r"hosts names 2 hosts: 10.0.0.1, 10.0.0.2" + need)
        self.refuse_hosts(f"localhost\n127.0.0.1\n{os.uname().nodename}\n", r"names 1 host: local")

    def test_what_is_no_host_is_shown_with_its_line(self):
        self.refuse_hosts("10.0.0.1\n10.0.0.2 slots=abc\n", r"hosts:2: 'slots=abc' is no number of")
        self.refuse_hosts("10.0.0.1 cores=3\n", r"hosts:1: 'cores=3' is not understood; allowed is")
        self.refuse_hosts("\x7fELF\x02\x01\x00\x00\n", r"hosts:1: '.*ELF.*' is no host name")
        self.refuse_hosts("10.0.0.1\n\n10.0.0.2\nno-such-host.invalid\n",
                          r"hosts:4: host 'no-such-host.invalid' is not known to this machine")

    def test_what_is_no_file_is_refused_at_once(self):
        self.assert_refused_for(r"cluster.hostfile: cannot open nowhere: No such file", "cluster.hostfile=nowhere")
        self.assert_refused_for(r"cluster.hostfile: /tmp is no regular file",
                                "cluster.hostfile=/tmp")
        os.mkfifo(self.folder / "pipe")
        self.assert_refused_for(r"pipe is no regular file", "cluster.hostfile=pipe")

    def test_slots_and_comments_are_allowed(self):
        self.write("hosts", "# three\n10.0.0.1 slots=2\n10.0.0.2 slots=4 max_slots=8 # two\n"
                            "10.0.0.3\n")
        file = self.write("real.yaml", REAL)
        self.pslab("check", file, "cluster.hostfile=hosts")

    def test_a_slurm_job_that_is_too_small_is_refused(self):
        self.environment.update(SLURM_JOB_ID="1", SLURM_NNODES="2")
        message = r"cluster.nodes=3 needs as many machines, but this Slurm job has 2"
        self.assert_refused_for(message)
        self.pslab("check", self.write("real.yaml", REAL), "cluster.nodes=2")

    def test_a_finished_experiment_needs_no_machines(self):
        file = self.write("real.yaml", REAL)
        self.pslab("run", file, "--no-figures")
        self.environment.update(SLURM_JOB_ID="1", SLURM_NNODES="2")
        self.pslab("run", file, "--no-figures")


if __name__ == "__main__":
    unittest.main()
