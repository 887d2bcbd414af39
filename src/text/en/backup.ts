import type { backup as zh } from "../zh/backup.ts";

/** What is said at the terminal about backups. */
export const backup: typeof zh = {
  commands: {
    backup: "writes everything Herald knows into one file; the server may run",
    restore: "brings a backup back; stop the server first",
    yes: "do not ask",
  },
  made: (file, size) => `Backup written to ${file} (${size})`,
  holds: ({ people, items, deliveries }) => `It holds ${people} people, ${items} matters, ${deliveries} reminders.`,
  secret:
    "The file holds private matters and the plugin's secret: keep it where only you can read it. It does not hold .env; keep that apart.",
  nothing: (path) => `There is no database yet (${path}), so nothing to back up. Run npm start once.`,
  ask: (file) => `Replace the present data with ${file}? (yes / no)`,
  stopped: "Nothing was changed.",
  sayYes: "There is no terminal to ask at: add --yes if you are sure, for example herald restore herald.backup --yes",
  restored: (when, version) => `Restored the backup of ${when} (Herald ${version}).`,
  replaced: (file) => `The database that stood there is now ${file}`,
  startNow: "You can start now: npm start",
  refused: {
    no_file: "The file cannot be read. Expected a backup, for example herald restore herald-20270101090000.backup",
    not_a_backup: "This is no backup of Herald's. Nothing was changed.",
    damaged: "The backup is cut short or was altered (its checksum differs). Nothing was changed.",
  },
  cannot: {
    other_database: () =>
      "This backup comes from the other kind of database (SQLite / PostgreSQL): check DATABASE_URL. Nothing was changed.",
    newer: (version) => `This backup comes from a newer Herald (${version}). Update first. Nothing was changed.`,
    in_use: () => "The database is in use. Stop Herald, then restore. Nothing was changed.",
    damaged: () => "The database in the backup did not pass its check. Nothing was changed.",
  },
  toolMissing: (tool) => `PostgreSQL's ${tool} is needed, for example: apt-get install postgresql-client`,
  noRights: (path, code) => `${path} cannot be written (${code}). Choose another place.`,
};
