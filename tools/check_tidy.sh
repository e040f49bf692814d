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
if ((${#files[@]} == 0)); then
  mapfile -t files < <(python3 - <<'PYTHON'
import json, os
with open("build/release/compile_commands.json") as commands:
    paths = {os.path.relpath(os.path.join(c["directory"], c["file"])) for c in json.load(commands)}
ours = ("src/", "strategies/", "workloads/", "sim/", "real/")
print("\n".join(sorted(path for path in paths if path.startswith(ours))))
PYTHON
  )
fi

# Shows what one file's run has found, without the count of warnings that are not shown.
tidy_file() {
  local findings
  findings=$("$1" -p build/release --quiet --extra-arg=-Wno-unknown-warning-option "$2" 2>&1) ||
    { grep -Ev '^[0-9]+ warnings? (generated|and )' <<<"$findings" && return 1; }
}
export -f tidy_file

printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "$(nproc)" bash -c 'tidy_file "$@"' bash "$tidy" ||
  { echo "check_tidy: mend what stands above; the checks are listed in .clang-tidy" && exit 1; }
