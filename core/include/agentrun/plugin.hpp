#pragma once
// The handshake between the host and a plugin module, and the macros that make a class a plugin.
//
//   struct Echo : agentrun::Runtime { … };
//   AGENTRUN_RUNTIME_PLUGIN(Echo, "echo", "1.0.0")
//
// The module exports one plain-data descriptor whose symbol name carries the ABI id (abi.hpp). The host reads that
// name from the file before loading it, so a plugin built against other headers is refused and not run. Kind, name
// and version also stand as plain bytes in a section of their own, so that they can be listed without running
// anything of the plugin.

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "agentrun/abi.hpp"
#include "agentrun/backend.hpp"
#include "agentrun/runtime.hpp"

namespace agentrun {

enum class PluginKind : std::uint32_t { backend = 1, runtime = 2 };

[[nodiscard]] inline const char* to_string(PluginKind kind) noexcept {
  return kind == PluginKind::backend ? "backend" : "runtime";
}

/// Takes the text of a failed creation. Plain C, since nothing may be thrown across.
using PluginFailure = void (*)(void* context, const char* text);

extern "C" {
struct AgentrunPluginDescriptor {
  std::uint32_t size;       ///< sizeof(AgentrunPluginDescriptor)
  std::uint32_t kind;       ///< PluginKind
  const char* abi;          ///< AGENTRUN_ABI_ID
  const char* name;         ///< as in the file name
  const char* version;      ///< of the plugin
  const char* sdk_version;  ///< of the headers it was built with
  /// A Backend* or Runtime*, or null after calling `failed`.
  void* (*create)(PluginFailure failed, void* context);
  void (*destroy)(void* object);
};
}

namespace plugin_detail {

template <class Value>
[[nodiscard]] Result<Value> caught(const char* what) {
  return failure(ErrorCode::plugin, std::string("the plugin failed: ") + what,
                 "Report it to the plugin's author");
}

/// Runs `call` and turns what it throws into an Error.
template <class Call>
[[nodiscard]] auto guarded(Call&& call) noexcept -> decltype(call()) {
  using Value = typename decltype(call())::value_type;
  try {
    return call();
  } catch (const std::exception& error) {
    return caught<Value>(error.what());
  } catch (...) {
    return caught<Value>("unknown exception");
  }
}

class GuardedTranslator final : public Translator {
 public:
  explicit GuardedTranslator(std::unique_ptr<Translator> inner) : inner_(std::move(inner)) {}

  void line(std::string_view text, RecordSink& sink) override {
    try {
      inner_->line(text, sink);
    } catch (const std::exception& error) {
      sink.stop(std::string("the runtime plugin failed: ") + error.what());
    } catch (...) {
      sink.stop("the runtime plugin failed: unknown exception");
    }
  }

  Verdict finish(const ExitFacts& exit, RecordSink& sink) override {
    try {
      return inner_->finish(exit, sink);
    } catch (const std::exception& error) {
      return broken(error.what());
    } catch (...) {
      return broken("unknown exception");
    }
  }

 private:
  static Verdict broken(const char* what) {
    Verdict verdict;
    verdict.status = Verdict::Status::failed;
    verdict.detail = std::string("the runtime plugin failed: ") + what;
    return verdict;
  }

  std::unique_ptr<Translator> inner_;
};

template <class Implementation>
class GuardedRuntime final : public Runtime {
 public:
  [[nodiscard]] RuntimeTraits traits() const override { return inner_.traits(); }
  [[nodiscard]] Result<void> check(const RunArguments& arguments) const override {
    return guarded([&] { return inner_.check(arguments); });
  }
  [[nodiscard]] Result<Launch> plan(const LaunchContext& context) const override {
    return guarded([&] { return inner_.plan(context); });
  }
  [[nodiscard]] Result<std::unique_ptr<Translator>> translator(const LaunchContext& context) const override {
    return guarded([&]() -> Result<std::unique_ptr<Translator>> {
      auto made = inner_.translator(context);
      if (!made) return made;
      return std::make_unique<GuardedTranslator>(std::move(*made));
    });
  }

 private:
  Implementation inner_;
};

template <class Implementation>
class GuardedBackend final : public Backend {
 public:
  [[nodiscard]] BackendTraits traits() const override { return inner_.traits(); }
  [[nodiscard]] Result<Readiness> check(CheckServices& services, const CheckRequest& request) override {
    return guarded([&] { return inner_.check(services, request); });
  }
  [[nodiscard]] Result<SandboxPlan> plan(const PlanRequest& request) const override {
    return guarded([&] { return inner_.plan(request); });
  }
  [[nodiscard]] StartFailureRule start_failure() const override { return inner_.start_failure(); }

 private:
  Implementation inner_;
};

template <class Interface, class Guarded>
[[nodiscard]] void* create(PluginFailure failed, void* context) noexcept {
  try {
    return static_cast<Interface*>(new Guarded());
  } catch (const std::exception& error) {
    failed(context, error.what());
  } catch (...) {
    failed(context, "unknown exception");
  }
  return nullptr;
}

template <class Interface>
void destroy(void* object) noexcept {
  delete static_cast<Interface*>(object);
}

}  // namespace plugin_detail

}  // namespace agentrun

#if defined(__APPLE__)
#define AGENTRUN_PLUGIN_SECTION "__DATA,agentrun"
#else
#define AGENTRUN_PLUGIN_SECTION ".agentrun"
#endif

#define AGENTRUN_PLUGIN_EXPORT __attribute__((visibility("default"), used))

// The facts are NUL-terminated "key=value" strings behind one another, so that they can be read from the file alone.
#define AGENTRUN_PLUGIN_DETAIL(KIND, INTERFACE, GUARDED, NAME, VERSION)                                            \
  extern "C" {                                                                                                     \
  __attribute__((visibility("hidden"), used, section(AGENTRUN_PLUGIN_SECTION))) extern const char                  \
      agentrun_plugin_facts[] = "agentrun-plugin\0kind=" #KIND "\0name=" NAME "\0version=" VERSION                 \
                                "\0abi=" AGENTRUN_ABI_ID "\0sdk=" AGENTRUN_VERSION "\0";                           \
  AGENTRUN_PLUGIN_EXPORT extern const ::agentrun::AgentrunPluginDescriptor AGENTRUN_DESCRIPTOR_SYMBOL = {          \
      sizeof(::agentrun::AgentrunPluginDescriptor),                                                                \
      static_cast<std::uint32_t>(::agentrun::PluginKind::KIND),                                                    \
      AGENTRUN_ABI_ID,                                                                                             \
      NAME,                                                                                                        \
      VERSION,                                                                                                     \
      AGENTRUN_VERSION,                                                                                            \
      &::agentrun::plugin_detail::create<INTERFACE, GUARDED>,                                                      \
      &::agentrun::plugin_detail::destroy<INTERFACE>};                                                             \
  }

#define AGENTRUN_RUNTIME_PLUGIN(CLASS, NAME, VERSION)                                                             \
  AGENTRUN_PLUGIN_DETAIL(runtime, ::agentrun::Runtime, ::agentrun::plugin_detail::GuardedRuntime<CLASS>, NAME, VERSION)

#define AGENTRUN_BACKEND_PLUGIN(CLASS, NAME, VERSION)                                                             \
  AGENTRUN_PLUGIN_DETAIL(backend, ::agentrun::Backend, ::agentrun::plugin_detail::GuardedBackend<CLASS>, NAME, VERSION)
