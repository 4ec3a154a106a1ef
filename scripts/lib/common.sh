# shellcheck shell=bash
# What every script of this folder needs: where the checkout is, how to speak, how to become root.

set -euo pipefail
umask 022

repository=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
# shellcheck disable=SC2034 # for lib/build.sh and the scripts
cache_home=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}
# shellcheck disable=SC2034 # likewise
jobs=${AGENTRUN_JOBS:-$(nproc)}

say() { printf '\n==> %s\n' "$*"; }
note() { printf '    %s\n' "$*"; }
die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# Runs a command as root: directly, or with sudo.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo -- "$@"
  else
    die "root is needed for: $*. Run that as root, or install sudo, and start again"
  fi
}

# A plugin is loaded only from directories of root or of the user who runs agentrun. Root in the checkout of another
# user would build what it then refuses to load, so such a run goes on as the owner once the packages are there.
# Call it as: continue_as_owner "$0" "$@"
continue_as_owner() {
  local owner uid home
  uid=$(stat -c %u -- "$repository")
  if [ "$(id -u)" -ne 0 ] || [ "$uid" -eq 0 ]; then
    return 0
  fi
  owner=$(id -un -- "$uid" 2>/dev/null) ||
    die "this checkout belongs to user id $uid, which has no name here. Make it root's (chown -R root: $repository) or run this in a copy"
  home=$(getent passwd "$owner" | cut -d: -f6)
  say "This checkout belongs to $owner: going on as $owner"
  # The current directory may be one that only root can enter.
  cd -- "$repository"
  exec runuser -u "$owner" -- env -u XDG_CACHE_HOME -u XDG_DATA_HOME -u CCACHE_DIR HOME="$home" USER="$owner" \
    LOGNAME="$owner" "$@"
}

# shellcheck source=packages.sh source-path=SCRIPTDIR
. "$repository/scripts/lib/packages.sh"
# shellcheck source=build.sh source-path=SCRIPTDIR
. "$repository/scripts/lib/build.sh"
