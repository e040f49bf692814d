# shellcheck shell=bash disable=SC2154
# Sourced by ./pslab, whose build_root, say and die it uses: which Debian packages are needed and why, and how they get installed.
#
# ensure_packages KIND returns when the packages of KIND (build, or test: build and more) are there.
# The answer is remembered in build/.packages-KIND, which holds the list that was checked.

build_packages=(
  "cmake: configures the build"
  "ninja-build: runs the build"
  "ccache: makes rebuilding quick"
  "g++: compiles C++20"
  "libboost-dev: statistics and random distributions"
  "libboost-graph-dev: routes and access graphs (Boost.Graph)"
  "libmetis-dev: places keys by partitioning access graphs"
  "libyaml-cpp-dev: reads experiment files"
  "nlohmann-json3-dev: writes results"
  "libcli11-dev: reads the command line"
  "libsimgrid-dev: the simulator of backend sim"
  "libopenmpi-dev: the message passing of backend real"
  "openmpi-bin: starts the processes of backend real"
  "libgtest-dev: tests"
  "libgmock-dev: tests"
  "libbenchmark-dev: micro-benchmarks"
  "libfmt-dev: formats text"
  "librandom123-dev: counter-based random streams"
  "zlib1g-dev: reads compressed data sets"
  "python3: draws figures and reports"
  "python3-matplotlib: draws figures"
  "python3-numpy: statistics of results"
)
test_packages=(
  "${build_packages[@]}"
  "clang-format: checks the formatting"
  "clang-tidy: finds suspicious code"
  "shellcheck: checks the scripts"
)

# Prints the entries ("package: why") of KIND, one a line.
package_entries() {
  case $1 in
    build) printf '%s\n' "${build_packages[@]}" ;;
    test) printf '%s\n' "${test_packages[@]}" ;;
  esac
}

# Prints the entries of KIND whose package dpkg does not know as installed. One call for all.
missing_entries() {
  local entry names=() installed
  while IFS= read -r entry; do names+=("${entry%%:*}"); done < <(package_entries "$1")
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${names[@]}" 2>/dev/null) || true
  while IFS= read -r entry; do
    grep -qxF "installed ${entry%%:*}" <<<"$installed" || printf '%s\n' "$entry"
  done < <(package_entries "$1")
}

ensure_packages() {
  local kind=$1 stamp=$build_root/.packages-$1
  if [[ -e $stamp && $(<"$stamp") == "$(package_entries "$kind")" ]]; then return; fi
  lock_build
  if command -v dpkg-query >/dev/null; then
    install_missing "$kind"
  else
    check_tools "$kind"
  fi
  package_entries "$kind" >"$stamp"
  unlock_build
}

# Not Debian: nobody knows how the packages are called here, so only the tools are looked for; CMake
# names the libraries it does not find.
check_tools() {
  local tool absent=()
  for tool in cmake ninja c++ python3; do
    command -v "$tool" >/dev/null || absent+=("$tool")
  done
  ((${#absent[@]} > 0)) || return 0
  say "not found: ${absent[*]}. This is not Debian, so nothing is installed by itself."
  say "Install the counterparts of these Debian packages, then try again:"
  package_entries "$1" | sed 's/^/  /' >&2
  exit 2
}

install_missing() {
  local entry names=() missing as_root=()
  missing=$(missing_entries "$1")
  [[ -n $missing ]] || return 0
  while IFS= read -r entry; do names+=("${entry%%:*}"); done <<<"$missing"
  say "needed and not installed:"
  printf '%s\n' "$missing" | sed 's/^/  /' >&2

  command -v apt-get >/dev/null || refuse "there is no apt-get here" "${names[@]}"
  if [[ $(id -u) != 0 ]]; then
    may_use_sudo || refuse "you are not root and cannot become root here" "${names[@]}"
    as_root=(sudo)
  fi
  say "installing them"
  apt_simulates "${names[@]}" || run_apt update || true
  run_apt install "${names[@]}" || { run_apt update && run_apt install "${names[@]}"; } ||
    refuse "apt-get failed, see above" "${names[@]}"
}

# True if sudo asks for no password, or there is somebody to ask.
may_use_sudo() {
  command -v sudo >/dev/null || return 1
  sudo -n true 2>/dev/null || [[ -t 0 && -t 2 ]]
}

# True if apt knows all the packages, so that its lists need no update first.
apt_simulates() { apt-get install --simulate --no-install-recommends -y "$@" >/dev/null 2>&1; }

# Uses as_root of its caller.
run_apt() {
  local options=(-y -q -o DPkg::Lock::Timeout=300)
  if [[ $1 == install ]]; then options+=(--no-install-recommends); fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" "$@" </dev/null >&2
}

refuse() {
  local reason=$1
  shift
  say "cannot install: $reason. Ask an administrator to run:"
  printf '  apt-get update && apt-get install --no-install-recommends -y %s\n' "$*" >&2
  exit 2
}
