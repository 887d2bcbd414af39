import type { error as zh } from "../zh/error.ts";

/** What is said when something fails: what is missing and what to do. */
export const error: typeof zh = {
  forbidden: (need) => `Only ${need} may do this.`,
  need: { owner: "the owner", admin: "the owner and admins", member: "members" },
  notFound: (what, given, near) =>
    `I could not find ${what}${given === "" ? "" : ` “${given}”`}.${near === "" ? "" : ` Did you mean: ${near}?`}`,
  what: {
    item: "that matter",
    run: "that look",
    post: "that card",
    person: "that person",
    setting: "that setting",
    decision: "that action",
    document: "that document",
    delivery: "this reminder",
    owner: "the owner",
    preferences: "the preferences",
    thing: "it",
  },
  changedSinceSeen: "This has changed; please look at the new card.",
  wrongState: (what, possible) =>
    possible === ""
      ? `Not possible for ${what} right now.`
      : `Not possible for ${what} right now. You can: ${possible}`,
  possible: { "item.reopen": "undo first", "tick.run": "send /tick to look again", "people.pair": "pair first" },
  invalidInput: (expected, example) => `Expected ${expected}, for example: ${example}`,
  limitReached: (most, until) =>
    until === "" ? `The limit of ${most} is reached.` : `The limit of ${most} is reached; it is free again ${until}.`,
  unavailable: {
    hermes: "Hermes cannot be reached. Please check that it is running, then try again.",
    history: "Hermes' session history cannot be read right now; please try again later.",
    model: "The model does not answer right now; please try again later.",
    feishu: "Feishu cannot be reached right now; please try again later.",
    database: "The database is not available right now; please try again later.",
    other: "Not available right now; please try again later.",
  },
  internal: (ref) => `Something went wrong, reference ${ref}. Nothing is lost; please try again.`,
  expected: {
    number: "the number of a matter",
    when: "a time in the future",
    whenFuture: "a time that has not passed",
    text: "what to remind you of and when",
    hours: "quiet hours",
    language: "zh or en",
    list: "closed, all, or nothing",
    nothing: "no arguments",
    dry: "dry, or nothing",
    runId: "the id of a look",
    preference: "a text of at most 1000 characters",
    "remind.text": "what to remind you of",
    "time.future": "a time that has not passed",
    "settings.activeFrom": "a time as HH:MM",
    "settings.activeUntil": "a time as HH:MM",
    "settings.paused": "a time that has not passed",
    other: "another form",
  },
};
