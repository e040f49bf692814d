#!/usr/bin/env bash
# Checks that every C++ file of the project is formatted as .clang-format says. Version 14 it must
# be: other versions format differently. Exit codes: 0 good, 1 not formatted, 2 cannot check.
set -euo pipefail
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."

formatter=
for tool in clang-format-14 clang-format; do
  if [[ $("$tool" --version 2>/dev/null) == *"version 14."* ]]; then
    formatter=$tool
    break
  fi
done
if [[ -z $formatter ]]; then
  echo "check_format: error: clang-format 14 not found; install the package clang-format" >&2
  exit 2
fi

findings=$(find . -path './.*' -prune -o -path ./build -prune -o -path ./results -prune -o \
  -type f \( -name '*.cpp' -o -name '*.hpp' \) -printf '%P\0' |
  sort -z | xargs -0 -r "$formatter" --dry-run --Werror 2>&1) && exit 0

# One line per file, at its first flaw. What does not look like a finding is shown as it is.
sed -n 's/^\([^:]*:[0-9]*\):[0-9]*: error: code should be clang-formatted.*/\1: format: to fix: /p' \
  <<<"$findings" | sort -t: -k1,1 -u -s | sed "s/^\([^:]*\):.*/&$formatter -i \1/"
grep -q 'code should be clang-formatted' <<<"$findings" || printf '%s\n' "$findings"
exit 1
