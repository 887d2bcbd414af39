import { ConfigError, type ConfigProblem, type ConfigWarning, type LoadedConfig, loadConfig } from "./config.ts";
import { type Texts, textsFor } from "./text/pick.ts";

/** What is wrong with the configuration, for the terminal: one line that counts, then each with an example. */
export function presentProblems(problems: readonly ConfigProblem[], { config }: Texts): string {
  const lines = problems.map(({ variable, source, given, expected, example }) =>
    config.problem(variable, config.sources[source], given, config.expected[expected], example),
  );
  return [config.refused(problems.length), ...lines].join("\n");
}

/** One line for a part of the configuration that works, but hardly as meant. */
export function presentWarning(warning: ConfigWarning, { config }: Texts): string {
  switch (warning.kind) {
    case "unknown":
      return warning.near ? config.unknownNear(warning.variable, warning.near) : config.unknown(warning.variable);
    case "unused":
      return config.unused(warning.variable, warning.without);
    case "app_id_form":
      return config.appIdForm(warning.given);
    case "dev_not_local":
      return config.devNotLocal(warning.host);
  }
}

/** For the start of a program: the configuration with its warnings on standard error, or exit code 2 and what is wrong. */
export function loadConfigOrExit(): LoadedConfig {
  try {
    const loaded = loadConfig();
    const texts = textsFor(loaded.config.terminal ?? loaded.config.language);
    for (const warning of loaded.warnings) console.error(presentWarning(warning, texts));
    return loaded;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(presentProblems(error.problems, textsFor(error.language)));
    process.exit(2);
  }
}
