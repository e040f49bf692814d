# shellcheck shell=bash disable=SC2154
# Sourced by ./pslab, whose build_root, jobs, say and die it uses: configures and builds, one process
# at a time, and says nothing when there is nothing to do.

# One lock for installing, configuring and building. Build tools inherit it, so that it is held until
# the last of them has ended even if this script is killed.
lock_build() {
  mkdir -p "$build_root" 2>/dev/null || true
  [[ -w $build_root ]] ||
    die 2 "cannot write to $build_root; give yourself the right to, or work in a copy of your own"
  command -v flock >/dev/null || return 0
  exec {build_lock}>>"$build_root/.lock"
  flock -n "$build_lock" && return
  say "waiting for another pslab that is building in $build_root"
  flock "$build_lock"
}

unlock_build() {
  [[ -z ${build_lock-} ]] || exec {build_lock}>&-
  unset build_lock
}

# ensure_built PRESET TARGET: returns when TARGET is up to date, exits with 1 if it cannot be built.
ensure_built() {
  local preset=$1 target=$2 log=$build_root/$1.log
  if is_configured "$preset" && is_built "$preset" "$target"; then return; fi
  # Without this, an interrupted build tool that exits by itself would look like a failed build.
  trap 'trap - INT; kill -INT $$' INT
  lock_build
  if ! is_configured "$preset"; then
    say "configuring build/$preset"
    run_logged "$log" configure "$preset" || build_failed "$log"
    printf '%s\n' "$PSLAB_ROOT" >"$build_root/$preset/.configured"
  fi
  run_logged "$log" build "$preset" "$target" || build_failed "$log"
  unlock_build
  trap - INT
}

# A build folder that was configured for another place (the checkout was moved or copied) or with
# other presets does not count.
is_configured() {
  local folder=$build_root/$1
  [[ -e $folder/build.ninja && -e $folder/.configured ]] &&
    [[ $(<"$folder/.configured") == "$PSLAB_ROOT" ]] &&
    [[ ! $PSLAB_ROOT/CMakePresets.json -nt $folder/.configured ]]
}

configure() { (cd -- "$PSLAB_ROOT" && cmake --fresh --preset "$1"); }

# build PRESET TARGET [NINJA ARGUMENTS...]
build() {
  NINJA_STATUS='[%f/%t] ' cmake --build "$build_root/$1" --target "$2" -j "$jobs" -- "${@:3}"
}

is_built() { [[ $(build "$1" "$2" -n 2>&1 </dev/null) == *"no work to do"* ]]; }

# run_logged LOG COMMAND...: shows the progress of COMMAND and keeps all that it writes in LOG.
run_logged() {
  local log=$1
  shift
  "$@" 2>&1 </dev/null | tee "$log" | show_progress
}

# Shows ninja's [n/m] lines on standard error, on a terminal in one line.
show_progress() {
  local line width=0
  if [[ -t 2 ]]; then width=$(tput cols 2>/dev/null || echo 80); fi
  while IFS= read -r line; do
    [[ $line == \[+([0-9])/+([0-9])\]* && $line != *"Re-checking globbed"* ]] || continue
    if ((width > 0)); then
      printf '\r\033[K%s' "${line:0:width-1}" >&2
    else
      printf '%s\n' "$line" >&2
    fi
  done
  if ((width > 0)); then printf '\r\033[K' >&2; fi
}

# Prints the first failed command and what it said, or the end of the log. The packages are looked
# at again next time: one may have been removed.
build_failed() {
  if grep -q '^FAILED:' "$1"; then
    sed -n '/^FAILED:/,$p' "$1" | head -n 40 >&2
  else
    tail -n 20 "$1" >&2
  fi
  rm -f "$build_root"/.packages-*
  die 1 "the build failed; the whole log is in $1"
}
