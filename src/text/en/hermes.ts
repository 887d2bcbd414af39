import type { hermes as zh } from "../zh/hermes.ts";

/** `herald hermes`: the plugin in Hermes. */
export const hermes: typeof zh = {
  home: (home) => `Hermes: ${home}`,
  installed: (version) => `Plugin ${version} is in place.`,
  updated: (version) => `The plugin was replaced by ${version}.`,
  same: "The plugin is this release's already; nothing was changed.",
  enabled: "Enabled in config.yaml.",
  enabledBefore: "It was enabled in config.yaml before; nothing was changed there.",
  backup: (file) => `config.yaml as it was: ${file}`,
  reaches: (url) => `Hermes will look for Herald at ${url}.`,
  restart: "Restart Hermes to load it: the gateway, and terminal sessions that are open.",
  removed: "The plugin was taken away.",
  notThere: "The plugin was not installed.",
  disabled: "Its line in config.yaml is gone, too.",
  restartWithout: "Restart Hermes: it keeps the plugin until then.",
  noHome: (home) =>
    `No Hermes found: ${home} does not exist. Name its folder, for example: herald hermes install --home ~/.hermes`,
  sampleOnly: "The playground runs on sample sessions; there is no real Hermes a plugin could go into.",
  somebodyElses: (folder) => `${folder} holds somebody else's plugin and was left alone. Move it away first.`,
  brokenConfig: (file, line, problem) =>
    `${file}${line === "" ? "" : ` line ${line}`} cannot be read (${problem}); nothing was changed. Repair it and try again.`,
  notLocal: (host) =>
    `Herald listens on ${host}, where a plugin on this machine cannot reach it. Set HERALD_HOST=127.0.0.1, or 0.0.0.0.`,
  noPort: "With HERALD_PORT=0 the port changes: start Herald first, or set a fixed one, for example HERALD_PORT=8686",
  noRights: (path, code) => `Cannot write ${path} (${code}): try as a user who may write Hermes' folder.`,
  announce: {
    on: "Done: before long work Hermes says in the chat what it is about to do. New sessions follow.",
    off: "Done: Hermes no longer says beforehand what it is about to do. New sessions follow.",
    expected: (word) => `${word}: expected on or off, for example: herald hermes announce off`,
    noOwner: "There is no owner yet: start Herald and send the code from its log to the bot.",
  },
  status: {
    plugin: "Plugin: ",
    enabled: "Enabled: ",
    herald: "Herald: ",
    current: (version) => `${version}, this release's`,
    other: (version, ours) => `${version}; this release has ${ours}: run herald hermes install again`,
    changed: (version) => `${version}, but its files differ from this release's: run herald hermes install again`,
    none: "not installed: run herald hermes install",
    somebodyElses: "somebody else's plugin of the same name",
    yes: "yes",
    no: "no: run herald hermes install",
    off: "no: plugins.disabled in config.yaml names it",
    broken: "config.yaml cannot be read, probably not by Hermes either",
    noSettings: "the plugin does not know where Herald is: run herald hermes install again",
    ok: (url) => `${url}, reachable, the token fits`,
    tokenDiffers: (url) => `${url}, reachable, but the token differs: run herald hermes install again`,
    notHerald: (url) => `${url}: some program answers there, but it is not Herald`,
    down: (url) => `${url}, not reachable now: is Herald running?`,
    downAndDiffers: (url) =>
      `${url}, not reachable now, and the token is not the present one: run herald hermes install again`,
    restartAfter: "Hermes reads plugins only as it starts: restart it after installing or updating.",
  },
};
