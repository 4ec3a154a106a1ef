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

/// Makes and destroys the objects of one kind of plugin, inside the plugin's module.
template <class Interface>
struct PluginFactory {
  /// Null after calling `failed`.
  Interface* (*create)(PluginFailure failed, void* context);
  void (*destroy)(Interface* object);
};

extern "C" {
/// Plain data: it can be read before any code of the plugin is called.
struct AgentrunPluginDescriptor {
  std::uint32_t size;              ///< sizeof(AgentrunPluginDescriptor)
  std::uint32_t kind;              ///< PluginKind
  const char* abi;                 ///< AGENTRUN_ABI_ID
  const char* name;                ///< as in the file name
  const char* version;             ///< of the plugin
  const char* sdk_version;         ///< of the headers it was built with
  PluginFactory<Backend> backend;  ///< nulls in a runtime
  PluginFactory<Runtime> runtime;  ///< nulls in a backend
};
}

namespace plugin_detail {

inline constexpr const char* author_hint = "Report it to the plugin's author";

template <class Value>
[[nodiscard]] Result<Value> caught(const char* what) {
  return failure(ErrorCode::plugin, std::string("the plugin failed: ") + what, author_hint);
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
  [[nodiscard]] RuntimeTraits traits() const override { return traits_; }
  [[nodiscard]] Result<void> check(const RunArguments& arguments) const override {
    return guarded([&] { return inner_.check(arguments); });
  }
  [[nodiscard]] Result<Needs> needs(const NeedsContext& context) const override {
    return guarded([&] { return inner_.needs(context); });
  }
  [[nodiscard]] Result<Launch> plan(const LaunchContext& context) const override {
    return guarded([&] { return inner_.plan(context); });
  }
  [[nodiscard]] Result<LoginReport> login(const LoginContext& context) const override {
    return guarded([&] { return inner_.login(context); });
  }
  [[nodiscard]] Result<std::unique_ptr<Translator>> translator(const LaunchContext& context) const override {
    return guarded([&]() -> Result<std::unique_ptr<Translator>> {
      auto made = inner_.translator(context);
      if (!made) return made;
      if (!*made) return failure(ErrorCode::plugin, "the plugin returned no translator", author_hint);
      return std::make_unique<GuardedTranslator>(std::move(*made));
    });
  }

 private:
  Implementation inner_;
  RuntimeTraits traits_ = inner_.traits();  // asked for inside create(), which can report a failure
};

template <class Implementation>
class GuardedBackend final : public Backend {
 public:
  [[nodiscard]] BackendTraits traits() const override { return traits_; }
  [[nodiscard]] Result<Readiness> check(CheckServices& services, const CheckRequest& request) override {
    return guarded([&] { return inner_.check(services, request); });
  }
  [[nodiscard]] Result<SandboxPlan> plan(const PlanRequest& request) const override {
    return guarded([&] { return inner_.plan(request); });
  }
  [[nodiscard]] Result<std::vector<std::string>> own_arguments(const PlanRequest& request) const override {
    return guarded([&] { return inner_.own_arguments(request); });
  }
  /// An implementation that throws has no rule.
  [[nodiscard]] StartFailureRule start_failure() const override {
    try {
      return inner_.start_failure();
    } catch (...) {
      return {};
    }
  }

 private:
  Implementation inner_;
  BackendTraits traits_ = inner_.traits();  // asked for inside create(), which can report a failure
};

template <class Interface, class Guarded>
[[nodiscard]] Interface* create(PluginFailure failed, void* context) noexcept {
  try {
    return new Guarded();
  } catch (const std::exception& error) {
    failed(context, error.what());
  } catch (...) {
    failed(context, "unknown exception");
  }
  return nullptr;
}

template <class Interface>
void destroy(Interface* object) noexcept {
  delete object;
}

template <class Implementation>
inline constexpr PluginFactory<Backend> backend_factory = {&create<Backend, GuardedBackend<Implementation>>,
                                                           &destroy<Backend>};
template <class Implementation>
inline constexpr PluginFactory<Runtime> runtime_factory = {&create<Runtime, GuardedRuntime<Implementation>>,
                                                           &destroy<Runtime>};

}  // namespace plugin_detail

}  // namespace agentrun

#if defined(__APPLE__)
#define AGENTRUN_PLUGIN_SECTION "__DATA,agentrun"
#else
#define AGENTRUN_PLUGIN_SECTION ".agentrun"
#endif

// A plugin that is built into the executable: agentrun_add_plugin() gives each one a symbol of its own.
#if defined(AGENTRUN_PLUGIN_BUILTIN_SYMBOL)
#define AGENTRUN_PLUGIN_SYMBOL AGENTRUN_PLUGIN_BUILTIN_SYMBOL
#else
#define AGENTRUN_PLUGIN_SYMBOL AGENTRUN_DESCRIPTOR_SYMBOL
#endif

#define AGENTRUN_PLUGIN_EXPORT __attribute__((visibility("default")))

// Without `retain` a linker that drops unused sections would drop the facts.
#if __has_attribute(retain)
#define AGENTRUN_PLUGIN_FACTS __attribute__((used, retain, section(AGENTRUN_PLUGIN_SECTION)))
#else
#define AGENTRUN_PLUGIN_FACTS __attribute__((used, section(AGENTRUN_PLUGIN_SECTION)))
#endif

// The facts are NUL-terminated "key=value" strings behind one another, so that they can be read from the file alone.
#define AGENTRUN_PLUGIN_DETAIL(KIND, BACKEND, RUNTIME, NAME, VERSION)                              \
  AGENTRUN_PLUGIN_FACTS static const char agentrun_plugin_facts[] =                                \
      "agentrun-plugin\0kind=" #KIND "\0name=" NAME "\0version=" VERSION "\0abi=" AGENTRUN_ABI_ID  \
      "\0sdk=" AGENTRUN_VERSION "\0";                                                              \
  extern "C" {                                                                                     \
  AGENTRUN_PLUGIN_EXPORT extern const ::agentrun::AgentrunPluginDescriptor AGENTRUN_PLUGIN_SYMBOL; \
  const ::agentrun::AgentrunPluginDescriptor AGENTRUN_PLUGIN_SYMBOL = {                            \
      sizeof(::agentrun::AgentrunPluginDescriptor),                                                \
      static_cast<std::uint32_t>(::agentrun::PluginKind::KIND),                                    \
      AGENTRUN_ABI_ID,                                                                             \
      NAME,                                                                                        \
      VERSION,                                                                                     \
      AGENTRUN_VERSION,                                                                            \
      BACKEND,                                                                                     \
      RUNTIME};                                                                                    \
  }

#define AGENTRUN_RUNTIME_PLUGIN(CLASS, NAME, VERSION) \
  AGENTRUN_PLUGIN_DETAIL(runtime, {}, (::agentrun::plugin_detail::runtime_factory<CLASS>), NAME, VERSION)

#define AGENTRUN_BACKEND_PLUGIN(CLASS, NAME, VERSION) \
  AGENTRUN_PLUGIN_DETAIL(backend, (::agentrun::plugin_detail::backend_factory<CLASS>), {}, NAME, VERSION)
