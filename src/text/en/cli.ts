import type { cli as zh } from "../zh/cli.ts";

/** What is said in the terminal. */
export const cli: typeof zh = {
  started: (url) => `Herald is running: ${url}`,
  playground: (url) =>
    `\n  Playground: ${url}\n  Open it in a browser, as you would open Feishu. No account is needed.\n`,
  sample: "No Hermes was found, so these are sample sessions (people and matters are invented).",
  ownHome: (home) => `Reading your own Hermes, read-only: ${home}`,
  clockKept: (when) =>
    `The playground's clock goes on from where it was: ${when}. npm start -- --fresh comes back to now and begins anew.`,
  clockMoved: (when) => `It is outside the active hours now; the playground's clock starts at ${when}.`,
  noHermes: (home) =>
    `Hermes was not found (${home} does not exist). Herald runs, but has no sessions to read; set HERMES_HOME.`,
  pairing: "There is no owner yet: send the code behind pairWith in the log to the bot.",
  stopping: "Finishing what is running …",
  failed: (why) => `Could not start: ${why}`,
  dataFolder: (path, why) =>
    `HERALD_DATA_DIR: cannot write into ${path} (${why}). Expected a folder this user may write to, for example HERALD_DATA_DIR=./data`,
  portTaken: (port, host, example) =>
    `HERALD_PORT: port ${port} on ${host} is in use; stop the other program or set another, for example HERALD_PORT=${example}`,
  databaseAway: (where, why) =>
    `DATABASE_URL: cannot reach the database at ${where} (${why}). See whether it runs and address and account are right, for example DATABASE_URL=postgresql://herald:password@127.0.0.1:5432/herald`,
  unknownCommand: (given, near, all) =>
    `There is no command ${given}${near === undefined ? "." : `; did you mean herald ${near}?`} There are: ${all}`,
  about: "The Feishu face of Hermes: reminds you once, at a good time, of what is still open.",
  whichAgent: (ids) => `Expected --agent with one of: ${ids}`,
  commands: {
    agent: "which agent, where several are configured",
    start: "start the server; without Feishu credentials, the playground",
    startFresh: "begin the playground anew, forgetting its chats and data",
    config: "list the effective configuration and where it came from, secrets masked",
    tick: "look once whether there is something to say, then exit",
    tickDry: "only show what would be said; nothing is sent or recorded",
    try: "try a part of Herald without a database",
    tryExtract: "reads one conversation as JSON on standard input, prints the matters found",
    tryWhen: "reads JSON lines on standard input, prints the time in each",
    hermes: "the plugin in Hermes: lets Hermes close matters from chat",
    hermesInstall: "puts the plugin into Hermes and enables it; run again to update it",
    hermesStatus: "whether the plugin is installed, enabled, and reaches Herald",
    hermesUninstall: "takes the plugin away, and its line out of config.yaml",
    hermesAnnounce: "on or off: before long work Hermes says what it is about to do",
    hermesHome: "Hermes' folder (default: HERMES_HOME or ~/.hermes)",
    replay: "hand one recorded Feishu event to the app",
  },
  nothingToSay: (why) => `Nothing to say: ${why}`,
  wouldSay: (text) => `Would say:\n${text}`,
  said: (count) => `Handed over for sending: ${count === 1 ? "one matter" : `${count} matters`}.`,
  needsFeishu: "This command needs Feishu credentials: set FEISHU_APP_ID and FEISHU_APP_SECRET.",
  noFile: (path) => `Cannot read ${path}: expected a JSON file, for example herald replay event.json`,
  noEvent: 'This file holds no Feishu event: expected {"schema":"2.0","header":{…},"event":{…}}',
};
