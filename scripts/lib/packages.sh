# shellcheck shell=bash
# The Debian packages of each purpose, in this one place, and how they get installed.

# Prints the packages of a purpose.
packages_for() {
  case $1 in
    build)
      echo g++ cmake ninja-build ccache libboost1.81-dev libexpected-dev libspdlog-dev libfmt-dev libcli11-dev \
        libsimdjson-dev libseccomp-dev libgtest-dev libgmock-dev libbenchmark-dev musl-tools
      ;;
    run) echo bubblewrap socat ;;
    test) echo curl git openssl procps python3 python3-pip wget ;;
    bench) echo curl python3 tinyproxy squid ;;
    agents) echo npm util-linux ;;
    clang) echo clang-14 libclang-rt-14-dev ;;
    tidy) echo clang-14 clang-tidy-14 ;;
    format) echo clang-format-14 ;;
    shell) echo shellcheck ;;
    *) die "no packages are listed for '$1'" ;;
  esac
}

package_installed() {
  # npm often comes inside another distributor's nodejs package.
  if [ "$1" = npm ] && command -v npm >/dev/null; then
    return 0
  fi
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# install_for PURPOSE…: installs what is missing. When nothing is, it needs neither the network nor root.
install_for() {
  local purpose package missing=()
  if ! command -v apt-get >/dev/null; then
    note "This is not a Debian system. These packages, or what is the same here, must be installed already:"
    for purpose in "$@"; do note "$(packages_for "$purpose")"; done
    return 0
  fi
  for purpose in "$@"; do
    for package in $(packages_for "$purpose"); do
      package_installed "$package" || missing+=("$package")
    done
  done
  if [ ${#missing[@]} -eq 0 ]; then
    note "all packages for $* are installed"
    return 0
  fi
  say "Installing packages for $*: ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 update
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends \
    "${missing[@]}"
}
