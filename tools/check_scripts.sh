#!/usr/bin/env bash
# Checks all shell scripts of the project with shellcheck.
# Exit codes: 0 good, 1 a script has a flaw, 2 cannot check.
set -euo pipefail
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."

if ! command -v shellcheck >/dev/null; then
  echo "check_scripts: error: shellcheck not found; install the package shellcheck" >&2
  exit 2
fi
mapfile -d '' scripts < <(find pslab .ci tools tests -type f \
  \( -name '*.sh' -o -path pslab -o -path .ci/run \) -print0)
shellcheck -x "${scripts[@]}" || exit 1
