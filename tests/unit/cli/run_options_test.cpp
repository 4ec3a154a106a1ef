#include <gmock/gmock.h>

#include "command_lines.hpp"

namespace agentrun::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

host::RunOptions run(std::vector<std::string> words) {
  words.insert(words.begin(), "pi");
  return parsed<RunCommand>(words).options;
}

std::string run_refusal(std::vector<std::string> words) {
  words.insert(words.begin(), "pi");
  return refusal(words);
}

TEST(RunOptions, AreDefaultsWhenNothingIsGiven) {
  const RunCommand command = parsed<RunCommand>({"demo"});
  EXPECT_EQ(command.format, OutputFormat::jsonl);
  const host::RunOptions& options = command.options;
  EXPECT_EQ(options.runtime, "demo");
  EXPECT_FALSE(options.prompt || options.prompt_file || options.raw);
  EXPECT_THAT(options.images, IsEmpty());
  EXPECT_FALSE(options.arguments.model || options.arguments.effort || options.arguments.max_turns);
  EXPECT_TRUE(options.arguments.subagents);
  EXPECT_THAT(options.arguments.extra, IsEmpty());
  const host::SessionOptions& session = options.session;
  EXPECT_FALSE(session.cwd || session.sandbox || session.backend || session.timeout_seconds);
  EXPECT_EQ(session.network, NetworkMode::none);
  EXPECT_TRUE(session.default_deny_read);
  EXPECT_FALSE(session.debug || session.dry_run);
}

TEST(RunOptions, AllHaveAnEffect) {
  const RunCommand command = parsed<RunCommand>({"pi",
                                                 "--cwd",
                                                 "/work",
                                                 "--prompt",
                                                 "hello",
                                                 "--image",
                                                 "a.png",
                                                 "--image",
                                                 "b.png",
                                                 "--model",
                                                 "deepseek/chat",
                                                 "--effort",
                                                 "high",
                                                 "--max-turns",
                                                 "7",
                                                 "--timeout",
                                                 "90",
                                                 "--sandbox",
                                                 "relax",
                                                 "--backend",
                                                 "landlock",
                                                 "--network",
                                                 "custom",
                                                 "--allow-host",
                                                 "Example.com:8443",
                                                 "--allow-host",
                                                 "*.example.org",
                                                 "--deny-read",
                                                 "/etc/hosts",
                                                 "--deny-read",
                                                 "secrets",
                                                 "--no-default-deny-read",
                                                 "--path",
                                                 "/opt/a",
                                                 "--path",
                                                 "b",
                                                 "--env",
                                                 "A=1=2",
                                                 "--env",
                                                 "B",
                                                 "--env",
                                                 "C=",
                                                 "--env-file",
                                                 "x.env",
                                                 "--env-file",
                                                 "y.env",
                                                 "--no-subagents",
                                                 "--format",
                                                 "text",
                                                 "--raw",
                                                 "raw.jsonl",
                                                 "--debug",
                                                 "--dry-run"});
  EXPECT_EQ(command.format, OutputFormat::text);
  const host::RunOptions& options = command.options;
  EXPECT_EQ(options.runtime, "pi");
  EXPECT_EQ(options.prompt, "hello");
  EXPECT_THAT(options.images, ElementsAre("a.png", "b.png"));
  EXPECT_EQ(options.raw, "raw.jsonl");
  EXPECT_EQ(options.arguments.model, "deepseek/chat");
  EXPECT_EQ(options.arguments.effort, "high");
  EXPECT_EQ(options.arguments.max_turns, 7);
  EXPECT_FALSE(options.arguments.subagents);
  const host::SessionOptions& session = options.session;
  EXPECT_EQ(session.cwd, "/work");
  EXPECT_EQ(session.timeout_seconds, 90);
  EXPECT_EQ(session.sandbox, host::SandboxMode::relax);
  EXPECT_EQ(session.backend, "landlock");
  EXPECT_EQ(session.network, NetworkMode::custom);
  EXPECT_THAT(session.allow_hosts,
              ElementsAre(HostRule{"example.com", false, 8443}, HostRule{"example.org", true, {}}));
  EXPECT_THAT(session.deny_read, ElementsAre("/etc/hosts", "secrets"));
  EXPECT_FALSE(session.default_deny_read);
  EXPECT_THAT(session.path, ElementsAre("/opt/a", "b"));
  ASSERT_EQ(session.env.size(), 3);
  EXPECT_EQ(session.env[0].name, "A");
  EXPECT_EQ(session.env[0].value, "1=2");
  EXPECT_EQ(session.env[1].name, "B");
  EXPECT_EQ(session.env[1].value, std::nullopt);
  EXPECT_EQ(session.env[2].value, "");
  EXPECT_THAT(session.env_files, ElementsAre("x.env", "y.env"));
  EXPECT_TRUE(session.debug && session.dry_run);
}

TEST(RunOptions, MeanTheSameWithAnEqualsSign) {
  const host::RunOptions options =
      run({"--cwd=/a=b", "--prompt=two words", "--env=A=b c", "--max-turns=1", "--sandbox=off", "--network=full"});
  EXPECT_EQ(options.session.cwd, "/a=b");
  EXPECT_EQ(options.prompt, "two words");
  EXPECT_EQ(options.session.env.at(0).name, "A");
  EXPECT_EQ(options.session.env.at(0).value, "b c");
  EXPECT_EQ(options.arguments.max_turns, 1);
  EXPECT_EQ(options.session.sandbox, host::SandboxMode::off);
  EXPECT_EQ(options.session.network, NetworkMode::full);
}

TEST(RunOptions, TakeAnyTextAsAPrompt) {
  const std::string newlines = "first\nsecond\n";
  const std::string bytes = "\xff\xfe\x1b[2J";
  for (const std::string& prompt : {std::string("-x"), std::string("--do this"), std::string("- a list"),
                                    std::string("--"), std::string("-"), std::string("[a,b]"), std::string("{}"),
                                    std::string("a=b"), std::string("\"quoted\""), newlines, bytes, std::string("")}) {
    EXPECT_EQ(run({"--prompt=" + prompt}).prompt, prompt);
    if (prompt == "--") continue;
    EXPECT_EQ(run({"--prompt", prompt}).prompt, prompt);
  }
}

TEST(RunOptions, TakeAPromptThatEqualsAnOptionOnlyBehindAnEqualsSign) {
  EXPECT_EQ(run({"--prompt=--debug"}).prompt, "--debug");
  EXPECT_EQ(run_refusal({"--prompt", "--debug"}),
            "--prompt needs a value, but --debug follows. Write --prompt=VALUE if that is the value");
  EXPECT_EQ(run_refusal({"--model", "--effort=high"}),
            "--model needs a value, but --effort follows. Write --model=VALUE if that is the value");
}

TEST(RunOptions, KeepListValuesWhole) {
  EXPECT_THAT(run({"--path", "[a,b]", "--path", "c,d", "--path", "e f"}).session.path,
              ElementsAre("[a,b]", "c,d", "e f"));
  EXPECT_EQ(run_refusal({"--path", "a", "b"}).substr(0, 28), "argument 3 is not an option.");
}

TEST(RunOptions, LetTheLastOfASingleOptionWin) {
  const host::RunOptions options =
      run({"--model", "a", "--timeout", "1", "--sandbox", "off", "--debug", "--model=b", "--timeout=2", "--sandbox",
           "on", "--debug", "--backend", "x", "--backend", "y"});
  EXPECT_EQ(options.arguments.model, "b");
  EXPECT_EQ(options.session.timeout_seconds, 2);
  EXPECT_EQ(options.session.sandbox, host::SandboxMode::on);
  EXPECT_EQ(options.session.backend, "y");
  EXPECT_TRUE(options.session.debug);
}

TEST(RunOptions, PassWhatStandsBehindTheDashesUnchanged) {
  const host::RunOptions options =
      run({"--prompt", "p", "--", "--model", "x", "--", "", "--help", "-h", "--format=text"});
  EXPECT_FALSE(options.arguments.model);
  EXPECT_THAT(options.arguments.extra, ElementsAre("--model", "x", "--", "", "--help", "-h", "--format=text"));
  EXPECT_THAT(run({"--"}).arguments.extra, IsEmpty());
}

TEST(RunOptions, DoNotTakeTheDashesAsAValue) {
  EXPECT_EQ(run_refusal({"--prompt", "--", "x"}), "--prompt needs a value. Write --prompt TEXT");
}

TEST(RunOptions, AcceptTheBordersOfNumbers) {
  EXPECT_EQ(run({"--max-turns", "1"}).arguments.max_turns, 1);
  EXPECT_EQ(run({"--max-turns", "18446744073709551615"}).arguments.max_turns, 18446744073709551615U);
  EXPECT_EQ(run({"--max-turns", "007"}).arguments.max_turns, 7);
  EXPECT_EQ(run({"--timeout", "1000000000"}).session.timeout_seconds, 1000000000);
}

TEST(RunOptions, RefuseOtherNumbers) {
  for (const char* number : {"0", "-1", "+1", " 1", "1 ", "1.5", "1e3", "0x10", "", "x", "18446744073709551616",
                             "99999999999999999999999999999999", "1,000", "1s", "\xd9\xa1"}) {
    EXPECT_THAT(run_refusal({std::string("--max-turns=") + number}),
                HasSubstr("': expected a whole number from 1 to 18446744073709551615"))
        << number;
    EXPECT_THAT(run_refusal({std::string("--timeout=") + number}),
                HasSubstr("': expected a whole number from 1 to 1000000000"))
        << number;
  }
  EXPECT_EQ(run_refusal({"--timeout", "1000000001"}),
            "invalid --timeout value '1000000001': expected a whole number from 1 to 1000000000");
}

TEST(RunOptions, RefuseOtherChoices) {
  EXPECT_EQ(run_refusal({"--sandbox", "ON"}), "invalid --sandbox value 'ON': expected on, relax or off");
  EXPECT_EQ(run_refusal({"--sandbox", ""}), "invalid --sandbox value '': expected on, relax or off");
  EXPECT_EQ(run_refusal({"--network", "all"}), "invalid --network value 'all': expected none, full or custom");
  EXPECT_EQ(run_refusal({"--format", "json"}), "invalid --format value 'json': expected rich, text or jsonl");
}

TEST(RunOptions, RefuseABackendThatIsAPath) {
  for (const char* name : {"../evil", "/tmp/x", "bwrap.so", "BWRAP", "", "a b"}) {
    EXPECT_EQ(run_refusal({"--backend", name}), std::string("invalid --backend value '") + name +
                                                    "': expected the name of a backend plugin: a-z, 0-9 and -");
  }
}

TEST(RunOptions, RefuseEmptyValues) {
  for (const char* option :
       {"--cwd", "--prompt-file", "--image", "--model", "--effort", "--deny-read", "--path", "--env-file", "--raw"}) {
    const std::string expected = std::string(option) + " is empty. Give it a value or leave it out";
    EXPECT_EQ(run_refusal({option, ""}), expected);
    EXPECT_EQ(run_refusal({std::string(option) + "="}), expected);
    EXPECT_EQ(run_refusal({std::string(option) + "=", "--debug"}), expected);
  }
}

TEST(RunOptions, RefuseAMissingValueForEachOption) {
  for (const char* option : {"--cwd", "--prompt", "--prompt-file", "--image", "--model", "--effort", "--max-turns",
                             "--timeout", "--sandbox", "--backend", "--network", "--allow-host", "--check-sni",
                             "--deny-read", "--path", "--env", "--env-file", "--format", "--raw"}) {
    EXPECT_THAT(run_refusal({option}), ::testing::StartsWith(std::string(option) + " needs a value. Write ")) << option;
  }
}

TEST(RunOptions, RefuseAValueForAFlag) {
  for (const char* flag : {"--debug", "--dry-run", "--no-subagents", "--no-default-deny-read"}) {
    EXPECT_EQ(run_refusal({std::string(flag) + "=false"}), std::string(flag) + " takes no value. Leave out the '='");
    EXPECT_EQ(run_refusal({std::string(flag) + "="}), std::string(flag) + " takes no value. Leave out the '='");
  }
}

TEST(RunOptions, RefuseTwoPrompts) {
  constexpr const char* remedy = ". Give the prompt once: --prompt TEXT, --prompt-file FILE or standard input";
  EXPECT_EQ(run_refusal({"--prompt", "a", "--prompt-file", "b"}),
            std::string("--prompt and --prompt-file are both given") + remedy);
  EXPECT_EQ(run_refusal({"--prompt", "a", "--prompt", "b"}), std::string("--prompt is given twice") + remedy);
  EXPECT_EQ(run_refusal({"--prompt-file", "a", "--prompt-file", "a"}),
            std::string("--prompt-file is given twice") + remedy);
}

TEST(RunOptions, RefuseCustomWithoutARule) {
  EXPECT_EQ(run_refusal({"--network", "custom"}),
            "--network 'custom' without a rule allows no host. Add --allow-host HOST[:PORT], or use --network none");
}

TEST(RunOptions, RefuseARuleWithoutCustom) {
  EXPECT_EQ(run_refusal({"--allow-host", "Example.com:443"}),
            "--allow-host 'example.com:443' has no effect under --network none. Use it with --network custom");
  EXPECT_EQ(run_refusal({"--network", "full", "--allow-host", "example.com"}),
            "--allow-host 'example.com' has no effect under --network full. Use it with --network custom");
}

TEST(RunOptions, RefuseABadHostRuleWithItsOwnSentence) {
  std::vector<std::string> sentences;
  for (const char* rule : {"*", "a.*.com", "", "example.com:0", "exa mple.com", "::1", "https://example.com"}) {
    const std::string sentence = run_refusal({"--network", "custom", "--allow-host", rule});
    EXPECT_THAT(sentence, HasSubstr(std::string("--allow-host '") + rule + "': "));
    const std::string reason = sentence.substr(sentence.find("': "));
    EXPECT_THAT(sentences, Not(::testing::Contains(reason)));
    sentences.push_back(reason);
  }
}

TEST(RunOptions, RefuseABadVariableWithoutShowingIt) {
  for (const char* variable :
       {"", "=secret", "1A=secret", "A-B=secret", "secret token", "A B=secret", "\xc3\xa4=secret"}) {
    const std::string sentence = run_refusal({"--env", "GOOD=1", "--env", variable});
    EXPECT_EQ(sentence.substr(0, sentence.find('.')), "--env number 2 does not start with a variable name");
    EXPECT_THAT(sentence, Not(HasSubstr("secret")));
  }
}

TEST(RunOptions, RefuseAnUnknownOptionWithTheNearest) {
  EXPECT_EQ(run_refusal({"--promt", "x"}), "unknown option '--promt'. Did you mean '--prompt'?");
  EXPECT_EQ(run_refusal({"--allow-hosts=x"}), "unknown option '--allow-hosts'. Did you mean '--allow-host'?");
  EXPECT_EQ(run_refusal({"--dryrun"}), "unknown option '--dryrun'. Did you mean '--dry-run'?");
  EXPECT_EQ(run_refusal({"--zzzzzz"}), "unknown option '--zzzzzz'. --help lists the options");
  EXPECT_EQ(run_refusal({"-p", "x"}), "unknown option '-p'. --help lists the options");
}

TEST(RunOptions, DoNotKnowAbbreviationsNorOptionsOfOtherSubCommands) {
  for (const char* option : {"--mod", "--Model", "--events", "--json", "--version", "-model"}) {
    EXPECT_THAT(run_refusal({option, "x"}), HasSubstr(std::string("unknown option '") + option + "'")) << option;
  }
}

TEST(RunOptions, KeepASessionInADirectoryAndGoOnWithOneFromThere) {
  const auto kept = run({"--prompt", "x", "--session-dir", "saved"});
  EXPECT_EQ(kept.session_directory, "saved");
  EXPECT_TRUE(kept.arguments.keep_session);
  const auto resumed = run({"--prompt", "x", "--session-dir", "saved", "--resume", "1"});
  EXPECT_EQ(resumed.arguments.resume, "1");
  EXPECT_THAT(run_refusal({"--prompt", "x", "--resume", "1"}), HasSubstr("--resume needs --session-dir"));
}

TEST(RunOptions, NeverShowAPromptInARefusal) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--promt", "SECRET"},
                                             {"--promt=SECRET"},
                                             {"--prompt SECRET words"},
                                             {"--promt SECRET words"},
                                             {"SECRET words"},
                                             {"--prompt", "SECRET", "words"},
                                             {"--prompt", "SECRET", "--bogus"},
                                             {"--prompt", "SECRET", "--prompt", "SECRET"},
                                             {"--prompt", "SECRET", "--prompt-file", "x"},
                                             {"--prompt", "SECRET", "--max-turns", "0"},
                                             {"--debug=SECRET"},
                                             {"-SECRET words"}}) {
    const std::string sentence = run_refusal(words);
    EXPECT_NE(sentence, "");
    EXPECT_THAT(sentence, Not(HasSubstr("SECRET"))) << sentence;
  }
}

TEST(RunOptions, ExplainAnOptionAndItsValueInOneWord) {
  EXPECT_EQ(
      run_refusal({"--prompt do it"}),
      "something other than a value is attached to --prompt. Write --prompt VALUE as two words, or --prompt=VALUE");
}

TEST(RunOptions, TellWhereAPromptGoes) {
  EXPECT_EQ(
      run_refusal({"--debug", "fix the bug"}),
      "argument 2 is not an option. A prompt is given with --prompt TEXT, --prompt-file FILE or on standard input; "
      "arguments for the runtime go behind --");
  EXPECT_THAT(run_refusal({"-"}), HasSubstr("argument 1 is not an option"));
  EXPECT_THAT(run_refusal({""}), HasSubstr("argument 1 is not an option"));
}

TEST(RunOptions, SurviveHugeValues) {
  const std::string huge(10'000'000, 'x');
  EXPECT_EQ(run({"--prompt", huge}).prompt, huge);
  EXPECT_LT(run_refusal({"--timeout", huge}).size(), 300);
  EXPECT_LT(run_refusal({"--" + huge}).size(), 300);
  EXPECT_LT(run_refusal({huge}).size(), 300);
}

}  // namespace
}  // namespace agentrun::cli
