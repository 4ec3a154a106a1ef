#!/usr/bin/env bash
# Builds the release preset's benchmarks and prints what was measured beside the goals. Numbers count only as ratios
# of two sides measured in one run, or on a quiet machine. Argument: how many pairs of starts (default 60).
# shellcheck source=../scripts/lib/common.sh source-path=SCRIPTDIR
. "$(dirname -- "${BASH_SOURCE[0]}")/../scripts/lib/common.sh"

pairs=${1:-60}
install_for build run >&2
check_plugin_trust >&2
configure_preset release >&2
build_program release >&2
build_preset release bench_startup bench_host_decision >&2
directory=$repository/build/release

bwrap=$(command -v bwrap) || die "bwrap is not in the PATH"
find_bench() { find "$directory" -type f -name "$1" -perm -u+x | head -n 1; }

# decision_rows RULES GOAL: the worst of the kinds of look-up that the goal is for.
decision_rows() {
  local rules=$1 goal=$2 kind nanoseconds
  for kind in exact_hit wildcard_hit miss; do
    nanoseconds=$(sed -n "/\"name\": \"$kind\/${rules}_median\"/,/}/s/.*\"cpu_time\": \([0-9.e+-]*\).*/\1/p" \
      <<<"$decisions")
    awk -v what="one host decision, $rules rules, $kind" -v ns="$nanoseconds" -v goal="$goal" 'BEGIN {
      printf "%s\t%.0f ns\t<= %d ns\t%s\n", what, ns, goal, (ns != "" && ns + 0 <= goal) ? "ok" : "MISSED" }'
  done
}

say "Measuring" >&2
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
starts=$(cd -- "$scratch" && "$(find_bench bench_startup)" "$directory/bin/agentrun" "$bwrap" "$pairs")
decisions=$("$(find_bench bench_host_decision)" --benchmark_format=json --benchmark_repetitions=5 \
  --benchmark_report_aggregates_only=true --benchmark_filter='^(exact_hit|wildcard_hit|miss)/(10|100000)$' 2>/dev/null)

{
  printf 'what\tmeasured\tgoal\tverdict\n'
  printf '%s\n' "$starts"
  decision_rows 10 60
  decision_rows 100000 120
} | awk -F '\t' '
  { for (i = 1; i <= 4; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) } }
  END { for (r = 1; r <= NR; r++) printf "%-*s  %-*s  %-*s  %s\n", width[1], cell[r, 1], width[2], cell[r, 2], width[3], cell[r, 3], cell[r, 4] }'
