# shellcheck shell=bash
# Configuring and building a preset.

# Objects survive a fresh clone: the compiler cache lies outside the checkout.
prepare_ccache() {
  export CCACHE_DIR=${CCACHE_DIR:-$cache_home/agentrun/ccache}
  # Unless a path is below this one, it is part of the cache's key: clones in other places share objects.
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$repository}
  export CCACHE_NOHASHDIR=1
  export CCACHE_SLOPPINESS=pch_defines,time_macros
  mkdir -p -- "$CCACHE_DIR"
}

# A plugin in a directory that group or others may write is not trusted. A checkout made with umask 002 has such
# directories. Only what lies below build/ is changed here.
make_plugins_trusted() {
  local directory=$1
  chmod go-w -- "$repository/build" "$directory" "$directory"/{bin,lib,lib/agentrun,lib/agentrun/plugins} 2>/dev/null || true
  if [ -d "$directory/lib/agentrun/plugins" ]; then
    find "$directory/lib/agentrun/plugins" -maxdepth 1 -name '*.so' -exec chmod go-w -- {} +
  fi
}

# Says in time, and with the remedy, that agentrun would refuse the plugins of this checkout.
check_plugin_trust() {
  local directory=$repository mode uid
  while :; do
    mode=$(stat -c %a -- "$directory")
    uid=$(stat -c %u -- "$directory")
    if [ "$uid" -ne 0 ] && [ "$uid" -ne "$(id -u)" ]; then
      die "$directory belongs to user id $uid: agentrun loads no plugin from below it. Use a checkout of your own"
    fi
    if [ $((8#$mode & 8#022)) -ne 0 ] && { [ "$uid" -ne 0 ] || [ $((8#$mode & 8#1000)) -eq 0 ]; }; then
      if [ "$directory" != "$repository" ]; then
        die "$directory is writable by others: agentrun loads no plugin from below it. Run: chmod go-w '$directory', or move the checkout"
      fi
      note "taking write permission of group and others from $directory: agentrun loads no plugin from below it otherwise"
      chmod go-w -- "$directory"
    fi
    [ "$directory" != / ] || break
    directory=$(dirname -- "$directory")
  done
}

# configure_preset PRESET [-DNAME=VALUE…]
configure_preset() {
  local preset=$1
  shift
  if [ -e "$repository/build" ] && [ ! -w "$repository/build" ]; then
    die "$repository/build is not yours to write. Run: sudo chown -R $(id -un) '$repository/build'"
  fi
  prepare_ccache
  say "Configuring build/$preset"
  (cd -- "$repository" && cmake --preset "$preset" "$@")
}

# build_preset PRESET [TARGET…]
build_preset() {
  local preset=$1
  shift
  local targets=()
  if [ $# -gt 0 ]; then targets=(--target "$@"); fi
  say "Building build/$preset"
  # shellcheck disable=SC2154 # jobs is set in common.sh
  (cd -- "$repository" && cmake --build --preset "$preset" -j "$jobs" "${targets[@]}")
  make_plugins_trusted "$repository/build/$preset"
}

# run_tests PRESET [CTEST ARGUMENT…]: what ctest prints is kept in the build directory too.
run_tests() {
  local preset=$1
  shift
  say "Running the tests of build/$preset"
  ctest --test-dir "$repository/build/$preset" --output-on-failure --output-log "$repository/build/$preset/tests.log" \
    -j "$jobs" "$@"
}

# build_program PRESET: what a user runs, the program and its plugins, without tests and benchmarks.
build_program() { build_preset "$1" cli/all host/all backends/all runtimes/all; }
