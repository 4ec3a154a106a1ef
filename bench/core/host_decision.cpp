// What one decision costs, by the number of rules. Half of the rules are exact, half wildcards.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "agentrun/network_policy.hpp"

namespace {

using agentrun::HostForm;
using agentrun::NetworkMode;
using agentrun::NetworkPolicy;

constexpr std::size_t queries = 1 << 15;  // more than the caches near a core hold of a large table

std::string domain(std::size_t number) {
  static constexpr const char* words[] = {"cloud", "packages", "api", "static-content", "mirror", "registry", "data"};
  return std::string(words[number % 7]) + std::to_string(number * 7919) + ".example" + std::to_string(number % 13) +
         ".test";
}

NetworkPolicy make_policy(std::size_t rules) {
  std::vector<agentrun::HostRule> list;
  for (std::size_t number = 0; number < rules; ++number) list.push_back({domain(number), number % 2 == 1, {}});
  return NetworkPolicy::make(NetworkMode::custom, std::move(list), {}).value();
}

/// Names for numbers below `rules`, spread over all of the table.
template <class Name>
std::vector<std::string> spread(std::size_t rules, std::size_t remainder, Name name) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < queries; ++at) {
    const std::size_t number = at * 40503 % rules;
    names.push_back(name(number - number % 2 + remainder));
  }
  return names;
}

void judge_all(benchmark::State& state, const std::vector<std::string>& names, agentrun::Ruling expected) {
  const NetworkPolicy policy = make_policy(static_cast<std::size_t>(state.range(0)));
  for (const std::string& name : names) {
    if (policy.judge(name, HostForm::name, 443) != expected) state.SkipWithError("the decision is wrong");
  }
  std::size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(policy.judge(names[at], HostForm::name, 443));
    at = (at + 1) % queries;
  }
}

void exact_hit(benchmark::State& state) {
  judge_all(state, spread(static_cast<std::size_t>(state.range(0)), 0, domain), agentrun::Ruling::allowed);
}

void wildcard_hit(benchmark::State& state) {
  const auto below = [](std::size_t number) { return "eu-west.cdn." + domain(number); };
  judge_all(state, spread(static_cast<std::size_t>(state.range(0)), 1, below), agentrun::Ruling::allowed_if_public);
}

void miss(benchmark::State& state) {
  const auto other = [](std::size_t number) { return "www." + domain(number) + ".invalid"; };
  judge_all(state, spread(static_cast<std::size_t>(state.range(0)), 0, other), agentrun::Ruling::not_allowed);
}

void miss_many_labels(benchmark::State& state) {
  const auto deep = [](std::size_t number) { return "a.b.c.d.e.f.g.h." + domain(number); };
  judge_all(state, spread(static_cast<std::size_t>(state.range(0)), 0, deep), agentrun::Ruling::not_allowed);
}

/// The longest name that is let through to a decision, every second byte a dot.
void miss_longest_name(benchmark::State& state) {
  const auto longest = [](std::size_t number) {
    std::string name = domain(number);
    while (name.size() + 2 <= 253) name.insert(0, "x.");
    return name;
  };
  judge_all(state, spread(static_cast<std::size_t>(state.range(0)), 0, longest), agentrun::Ruling::not_allowed);
}

BENCHMARK(exact_hit)->Arg(10)->Arg(1000)->Arg(100000);
BENCHMARK(wildcard_hit)->Arg(10)->Arg(1000)->Arg(100000);
BENCHMARK(miss)->Arg(10)->Arg(1000)->Arg(100000);
BENCHMARK(miss_many_labels)->Arg(10)->Arg(1000)->Arg(100000);
BENCHMARK(miss_longest_name)->Arg(10)->Arg(1000)->Arg(100000);

}  // namespace
