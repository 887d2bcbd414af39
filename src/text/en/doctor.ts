import type { doctor as zh } from "../zh/doctor.ts";

/** What herald doctor says: the name of each check, a line when it is well, and what to do when it is not. */
export const doctor: typeof zh = {
  about: "checks every part of the set-up and says what to mend, and where",
  aboutJson: "print JSON",
  colon: ": ",
  leftOut: "nothing to look at",
  summary: (failed, warned) =>
    failed + warned === 0
      ? "All is well."
      : `${failed} that keep something from working, ${warned} that could be better.`,
  check: {
    config: "Configuration",
    node: "Node",
    folder: "Data folder",
    disk: "Disk",
    database: "Database",
    server: "Server",
    clock: "Clock",
    feishu: "Feishu credentials",
    bot: "Bot",
    scopes: "Permissions",
    events: "Message events",
    callbacks: "Card callbacks",
    rival: "Same app",
    owner: "Owner",
    hermes: "Hermes",
    store: "Session store",
    plugin: "Hermes plugin",
    gateway: "Hermes gateway",
    api: "Hermes API",
    model: "Model",
    looks: "Looks",
  },
  fine: {
    config: (f) => (f.mode === "playground" ? "playground (no Feishu app)" : "Feishu"),
    node: (f) => `${f.version}`,
    folder: (f) => `${f.path}`,
    disk: (f) => `${Number(f.free) < 10_240 ? `${f.free} MB` : `${Math.floor(Number(f.free) / 1024)} GB`} free`,
    database: (f) =>
      `${f.kind}${f.state === "new" ? ", made at the first start" : f.state === "pending" ? ", updated at the next start" : ""}`,
    server: (f) => `runs (${f.url})`,
    clock: (f) => `${f.seconds} s off Feishu's`,
    feishu: (f) => `${f.app} can log in`,
    bot: (f) => `${f.name}`,
    scopes: (f) => `all that is needed (${f.count} granted)`,
    events: (_f) => "messages are subscribed",
    callbacks: (_f) => "card taps are subscribed",
    rival: (_f) => "nobody else uses this app",
    owner: (_f) => "paired",
    hermes: (f) => `${f.home}`,
    store: (f) => `${f.sessions} sessions, schema ${f.schema}`,
    plugin: (f) => `${f.version}, ${f.reaches === "–" ? "Herald is not running" : "reaches Herald"}`,
    gateway: (f) => `connected for ${f.minutes} minutes (Hermes ${f.version})`,
    api: (f) => `${f.url} (Hermes ${f.version})`,
    model: (f) => `${f.models}`,
    looks: (f) => `the last one ${f.minutes} minutes ago`,
  },
  problem: {
    nodeOld: {
      what: (f) => `Node ${f.version} is too old`,
      todo: () => "Node 20.19 or newer is needed",
    },
    folderUnwritable: {
      what: (f) => `${f.path} cannot be written (${f.why})`,
      todo: () => "name a folder this user can write to: HERALD_DATA_DIR=./data",
    },
    folderOpen: {
      what: (f) => `${f.path} can be read by other users`,
      todo: (f) => `run chmod 700 ${f.path}`,
    },
    diskFull: {
      what: (f) => `only ${f.free} MB are free where ${f.path} lies`,
      todo: () => "free some space, or move HERALD_DATA_DIR elsewhere",
    },
    databaseAway: {
      what: (f) => `the database ${f.where} cannot be opened (${f.why})`,
      todo: () => "check DATABASE_URL, and that the database runs",
    },
    databaseDamaged: {
      what: (f) => `the database ${f.where} is damaged`,
      todo: () => "stop Herald and restore the newest backup with npx herald restore",
    },
    databaseForeign: {
      what: (f) => `${f.where} is no database of Herald's`,
      todo: () => "point DATABASE_URL at a new file, for example file:./data/herald.db",
    },
    databaseNewer: {
      what: (f) => `the database comes from a newer version (${f.migration})`,
      todo: () => "update Herald, or restore a backup made before",
    },
    serverNotReady: {
      what: (f) => `${f.url} runs but is not ready: ${f.parts}`,
      todo: () => "see the checks of these parts below; the log says why",
    },
    clockOff: {
      what: (f) => `this machine's clock is ${f.seconds} s off Feishu's`,
      todo: () => "switch time synchronisation on, for example timedatectl set-ntp true",
    },
    feishuAway: {
      what: (f) => `${f.host} cannot be reached (${f.why})`,
      todo: () => "check network and proxy; for Lark set FEISHU_DOMAIN=lark",
    },
    feishuRefused: {
      what: (f) => `App ID or App Secret is wrong (${f.code})`,
      todo: (f) => `compare them under "Credentials & Basic Info": ${f.place}`,
    },
    noBot: {
      what: (f) => `the app has no bot yet (${f.code})`,
      todo: (f) => `add the bot under "Add Features", then publish a version: ${f.place}`,
    },
    scopesMissing: {
      what: (f) => `permissions are missing: ${f.names}`,
      todo: (f) => `add them under "Permissions & Scopes", then publish a version: ${f.place}`,
    },
    scopesUseful: {
      what: (f) => `not granted: ${f.names} (streamed replies, files, finding lost receipts)`,
      todo: (f) => `add them under "Permissions & Scopes", then publish a version: ${f.place}`,
    },
    noEvent: {
      what: () => "the event im.message.receive_v1 is not subscribed, so the bot hears nothing",
      todo: (f) =>
        `under "Events & Callbacks → Event configuration" choose long connection, add im.message.receive_v1, then publish a version: ${f.place}`,
    },
    noCallback: {
      what: () => "the callback card.action.trigger is not subscribed, so buttons do nothing",
      todo: (f) =>
        `under "Events & Callbacks → Callback configuration" choose long connection, add card.action.trigger, then publish a version: ${f.place}`,
    },
    sameApp: {
      what: (f) =>
        `Hermes' own Feishu adapter uses the same app (${f.app}): messages and taps reach one of the two by chance`,
      todo: (f) => `make an app of its own for Herald, or take FEISHU_APP_ID out of ${f.file}`,
    },
    noOwner: {
      what: () => "there is no owner yet",
      todo: () => "start Herald and send the bot the code after pairWith in its log, or set HERALD_OWNER_OPEN_ID",
    },
    noHermes: {
      what: (f) => `Hermes was not found (${f.home})`,
      todo: () => "set HERMES_HOME; for a Hermes on another machine set HERMES_API_URL and HERMES_API_KEY",
    },
    noStore: {
      what: (f) => `there is no session store yet (${f.path})`,
      todo: () => "it appears after the first talk with Hermes; else set HERMES_HOME or HERMES_PROFILE",
    },
    storeDamaged: {
      what: (f) => `the session store ${f.path} is damaged`,
      todo: () => "check it with hermes doctor; Herald does not touch it",
    },
    storeUnreadable: {
      what: (f) => `the session store ${f.path} cannot be read (${f.why})`,
      todo: () => "let the user that runs Herald read the file",
    },
    noPlugin: {
      what: () => 'the plugin is not in Hermes, so "that is done" in its chat closes nothing',
      todo: () => "run npx herald hermes install",
    },
    pluginForeign: {
      what: (f) => `${f.home} holds a plugin of this name that is not Herald's`,
      todo: () => "rename it, then run npx herald hermes install",
    },
    pluginOff: {
      what: () => "the plugin is there but not enabled",
      todo: () => "run npx herald hermes install, then restart Hermes",
    },
    pluginOld: {
      what: (f) => `the plugin is of another version (${f.version})`,
      todo: () => "run npx herald hermes install, then restart Hermes",
    },
    pluginSettings: {
      what: () => "the plugin's settings file cannot be read",
      todo: () => "run npx herald hermes install, then restart Hermes",
    },
    pluginToken: {
      what: (f) => `the plugin's secret is not the one of ${f.url}`,
      todo: () => "run npx herald hermes install, then restart Hermes",
    },
    apiAway: {
      what: (f) => `Hermes' API server does not answer (${f.url})`,
      todo: () => "set API_SERVER_ENABLED=true and API_SERVER_KEY in Hermes and start hermes gateway",
    },
    apiOpen: {
      what: (f) => `${f.url} lets everybody in without a key (${f.status}); Herald will not use it`,
      todo: () => "update Hermes' aiohttp (3.13.4 or newer) and restart the gateway",
    },
    apiNoKey: {
      what: () => "HERMES_API_KEY is not set",
      todo: () => "fill in Hermes' API_SERVER_KEY",
    },
    apiKey: {
      what: (f) => `HERMES_API_KEY is wrong (${f.status})`,
      todo: () => "fill in Hermes' API_SERVER_KEY",
    },
    noModel: {
      what: () => "no model is configured; rules do the work",
      todo: () => "for better understanding set LLM_BASE_URL, LLM_API_KEY and LLM_MODEL",
    },
    modelAway: {
      what: (f) => `the model at ${f.host} cannot be reached`,
      todo: () => "check the network and LLM_BASE_URL",
    },
    modelKey: {
      what: (f) => `the model at ${f.host} refuses the key (${f.status})`,
      todo: () => "check LLM_API_KEY",
    },
    gatewayAway: {
      what: (f) => `nothing heard of Hermes' gateway for ${f.minutes} minutes`,
      todo: () => "see that hermes gateway runs; after the plugin was installed it has to be started anew once",
    },
    looksLate: {
      what: (f) => `the last look was ${f.minutes} minutes ago`,
      todo: () => "see the log; restart Herald",
    },
    looksFail: {
      what: (f) => `the latest look failed (${f.minutes} minutes ago)`,
      todo: () => "send /status to see what is wrong",
    },
  },
};
