"""A copy of the `pslab` script in an empty project, and stand-ins for all it calls.

The stand-ins write what they were asked to do into `calls`. The "build" copies program.sh to the
program when that is older; these files of the project steer it:

    missing        packages that dpkg-query does not know, one a line
    broken         if it exists, the build fails with this text
    slow           if it exists, the build takes this many seconds
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]

# Real tools that the script may use; everything else must be a stand-in.
REAL_TOOLS = ["bash", "cat", "cp", "dirname", "env", "flock", "grep", "head", "mkdir", "nproc",
              "readlink", "rm", "sed", "sleep", "tail", "tee", "touch", "tput"]

STAND_INS = {
    "cmake": """
        case $1 in
          --fresh) mkdir -p "build/$3"; echo "ninja file" >"build/$3/build.ninja" ;;
          --build)
            program=$2/pslab-bin
            if [[ $program -nt $PSLAB_ROOT/program.sh ]]; then
              echo "ninja: no work to do."
            elif [[ ${*: -1} == -n ]]; then
              echo "[1/1] Linking pslab-bin"
            else
              [[ ! -t 0 ]] || echo "standard input is a terminal"
              echo "begin $$" >>"$SANDBOX/builds"
              [[ ! -e $PSLAB_ROOT/slow ]] || sleep "$(<"$PSLAB_ROOT/slow")"
              echo "[1/2] Compiling a.cpp"
              if [[ -e $PSLAB_ROOT/broken ]]; then
                printf 'FAILED: a.o\\n%s\\nninja: build stopped\\n' "$(<"$PSLAB_ROOT/broken")"
                exit 1
              fi
              echo "[2/2] Linking pslab-bin"
              cp "$PSLAB_ROOT/program.sh" "$program"
              echo "end $$" >>"$SANDBOX/builds"
            fi
            ;;
        esac""",
    "ctest": "exit 8",
    "dpkg-query": """
        for package in "${@:4}"; do
          grep -qxF "$package" "$PSLAB_ROOT/missing" 2>/dev/null || echo "installed $package"
        done
        [[ ! -e $PSLAB_ROOT/missing ]]""",
    "apt-get": """
        case "$*" in
          *--simulate*) [[ -e $SANDBOX/lists ]] ;;
          *update*) touch "$SANDBOX/lists" ;;
          *) echo "apt says something"; [[ -e $SANDBOX/lists ]] && rm "$PSLAB_ROOT/missing" ;;
        esac""",
    "id": "echo 1000",
}

PROGRAM = """#!/usr/bin/env bash
echo "in $PWD of $PSLAB_ROOT, called $PSLAB_COMMAND"
printf '<%s>\\n' "$@"
exit "${PROGRAM_EXIT:-0}"
"""


class Sandbox:
    """A project in a folder whose name has spaces; `bin` holds the tools of its PATH."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="pslab script ")
        self.root = Path(self._folder.name).resolve() / "the project"
        self.bin = self.root.parent / "bin"
        self.calls_file = self.root.parent / "calls"
        self.bin.mkdir(parents=True)
        self.root.mkdir()
        shutil.copy(PROJECT / "pslab", self.root)
        (self.root / "tools").mkdir()
        for part in ["build.sh", "packages.sh"]:
            shutil.copy(PROJECT / "tools" / part, self.root / "tools")
        for check in ["check_format.sh", "check_scripts.sh", "check_layers.py"]:
            self.write_check(check, ":")
        self.write("CMakePresets.json", "{}")
        self.write("program.sh", PROGRAM).chmod(0o755)
        for tool in REAL_TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        for tool, body in STAND_INS.items():
            self.stand_in(tool, body)

    def close(self):
        self._folder.cleanup()

    def write(self, path, text):
        file = self.root / path
        file.write_text(text)
        return file

    def write_check(self, name, body):
        self.write(f"tools/{name}", f"#!/usr/bin/env bash\n{body}\n").chmod(0o755)

    def stand_in(self, tool, body):
        file = self.bin / tool
        file.unlink(missing_ok=True)
        file.write_text(f'#!/usr/bin/env bash\necho "{tool} $*" >>"$SANDBOX/calls"\n{body}\n')
        file.chmod(0o755)

    def start(self, *arguments, script=None, cwd=None, **environment):
        return subprocess.Popen(
            [script or self.root / "pslab", *arguments], cwd=cwd or self.root, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True,
            env={"PATH": str(self.bin), "SANDBOX": str(self.root.parent), "HOME": "/nonexistent",
                 **environment})

    def run(self, *arguments, stdin="", **options):
        """Runs the script to its end; the result has returncode, stdout and stderr."""
        process = self.start(*arguments, **options)
        out, err = process.communicate(stdin, timeout=60)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def take_calls(self):
        """The calls of stand-ins since the last take."""
        calls = self.calls_file.read_text().splitlines() if self.calls_file.exists() else []
        self.calls_file.unlink(missing_ok=True)
        return calls

    def builds(self):
        file = self.root.parent / "builds"
        return [line.split()[0] for line in file.read_text().splitlines()] if file.exists() else []

    def make_older(self, path, seconds):
        """Sets the file's time of change back (or forward, for a negative number)."""
        time = os.stat(self.root / path).st_mtime - seconds
        os.utime(self.root / path, (time, time))
