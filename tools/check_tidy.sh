#!/usr/bin/env bash
# Runs clang-tidy with the checks of .clang-tidy.
#
#   tools/check_tidy.sh [FILE...]     default: all sources outside tests/
#
# Needs build/release (./pslab build), where CMake leaves the compile commands.
# Exit codes: 0 good, 1 something was found, 2 cannot check.
set -euo pipefail
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."

cannot() {
  echo "check_tidy: error: $1" >&2
  exit 2
}
tidy=$(command -v clang-tidy-14 || command -v clang-tidy) ||
  cannot "clang-tidy not found; install the package clang-tidy"
[[ -e build/release/compile_commands.json ]] ||
  cannot "build/release/compile_commands.json not found; run ./pslab build first"

files=("$@")
# Clang cannot read what GCC has precompiled; the sources include all that they need themselves.
mapfile -t sources < <(python3 - <<'PYTHON'
import json, os, re
with open("build/release/compile_commands.json") as file:
    commands = json.load(file)
for command in commands:
    command["command"] = re.sub(r" (-Winvalid-pch|-fpch-preprocess|-include \S*/cmake_pch\.hxx)(?= )", "",
                                command["command"])
os.makedirs("build/tidy", exist_ok=True)
with open("build/tidy/compile_commands.json", "w") as file:
    json.dump(commands, file)
paths = {os.path.relpath(os.path.join(c["directory"], c["file"])) for c in commands}
ours = ("src/", "strategies/", "workloads/", "sim/", "real/")
print("\n".join(sorted(path for path in paths if path.startswith(ours) and path.endswith(".cpp"))))
PYTHON
)
if ((${#files[@]} == 0)); then files=("${sources[@]}"); fi

# Shows what one file's run has found, without the count of warnings that are not shown.
tidy_file() {
  local findings
  findings=$("$1" -p build/tidy --quiet --extra-arg=-Wno-unknown-warning-option "$2" 2>&1) ||
    { grep -Ev '^[0-9]+ warnings? (generated|and )' <<<"$findings" && return 1; }
}
export -f tidy_file

printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "$(nproc)" bash -c 'tidy_file "$@"' bash "$tidy" ||
  { echo "check_tidy: mend what stands above; the checks are listed in .clang-tidy" && exit 1; }
