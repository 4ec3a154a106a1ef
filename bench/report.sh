#!/usr/bin/env bash
# Builds the release preset with its benchmarks and prints what was measured beside the goals; fails when one is missed
# by more than the noise. Arguments go to bench/table: bench/report.sh --only connect --rounds 15
# shellcheck source=../scripts/lib/common.sh source-path=SCRIPTDIR
. "$(dirname -- "${BASH_SOURCE[0]}")/../scripts/lib/common.sh"

install_for build run bench >&2
check_plugin_trust >&2
configure_preset release >&2
build_program release >&2
build_preset release bench/all >&2
exec python3 "$repository/bench/table" "$repository/build/release" "$@"
