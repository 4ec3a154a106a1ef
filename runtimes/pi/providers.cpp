#include "providers.hpp"

#include <algorithm>
#include <array>

namespace agentrun::pi {

namespace {

struct Provider {
  std::string_view id;
  std::string_view host;
};

constexpr std::array providers = {
    Provider{"ant-ling", "api.ant-ling.com"},
    Provider{"anthropic", "api.anthropic.com"},
    Provider{"baseten", "inference.baseten.co"},
    Provider{"cerebras", "api.cerebras.ai"},
    Provider{"cloudflare-ai-gateway", "gateway.ai.cloudflare.com"},
    Provider{"cloudflare-workers-ai", "api.cloudflare.com"},
    Provider{"deepseek", "api.deepseek.com"},
    Provider{"fireworks", "api.fireworks.ai"},
    Provider{"github-copilot", "api.individual.githubcopilot.com"},
    Provider{"google", "generativelanguage.googleapis.com"},
    Provider{"groq", "api.groq.com"},
    Provider{"huggingface", "router.huggingface.co"},
    Provider{"kimi-coding", "api.kimi.com"},
    Provider{"meta", "api.meta.ai"},
    Provider{"minimax", "api.minimax.io"},
    Provider{"minimax-cn", "api.minimaxi.com"},
    Provider{"mistral", "api.mistral.ai"},
    Provider{"moonshotai", "api.moonshot.ai"},
    Provider{"moonshotai-cn", "api.moonshot.cn"},
    Provider{"nvidia", "integrate.api.nvidia.com"},
    Provider{"openai", "api.openai.com"},
    Provider{"openai-codex", "chatgpt.com"},
    Provider{"opencode", "opencode.ai"},
    Provider{"opencode-go", "opencode.ai"},
    Provider{"openrouter", "openrouter.ai"},
    Provider{"qwen-token-plan", "token-plan.maas.qwencloudapi.com"},
    Provider{"qwen-token-plan-cn", "token-plan.maas.qianwenaiapi.com"},
    Provider{"qwen-token-plan-individual", "token-plan.maas.qwencloudapi.com"},
    Provider{"qwen-token-plan-individual-cn", "token-plan.maas.qianwenaiapi.com"},
    Provider{"radius", "radius.pi.dev"},
    Provider{"together", "api.together.ai"},
    Provider{"vercel-ai-gateway", "ai-gateway.vercel.sh"},
    Provider{"xai", "api.x.ai"},
    Provider{"xiaomi", "api.xiaomimimo.com"},
    Provider{"xiaomi-token-plan-ams", "token-plan-ams.xiaomimimo.com"},
    Provider{"xiaomi-token-plan-cn", "token-plan-cn.xiaomimimo.com"},
    Provider{"xiaomi-token-plan-sgp", "token-plan-sgp.xiaomimimo.com"},
    Provider{"zai", "api.z.ai"},
    Provider{"zai-coding-cn", "open.bigmodel.cn"},
};

static_assert(std::ranges::is_sorted(providers, {}, &Provider::id));

}  // namespace

std::optional<std::string_view> provider_host(std::string_view provider) noexcept {
  const auto found = std::ranges::lower_bound(providers, provider, {}, &Provider::id);
  if (found == providers.end() || found->id != provider) return std::nullopt;
  return found->host;
}

}  // namespace agentrun::pi
