import type { command as zh } from "../zh/command.ts";

/** Commands, replies and hints. */
export const command: typeof zh = {
  summary: {
    dream: "Look back at a day, find what went wrong and propose changes",
    report: "Show the report of a day",
    proposals: "List the proposals waiting for you",
    approve: "Approve proposal N",
    reject: "Reject proposal N, with a reason if you like",
    revert: "Take back proposal N",
    strategies: "Show and switch the strategies in force",
    help: "see what I can do",
    whoami: "who you are here and what you may do",
    items: "list what is still open",
    done: "mark matter N as done",
    drop: "stop following matter N",
    snooze: "remind of matter N later",
    remind: "remind you of something at a time",
    tick: "look now whether there is something to say",
    runs: "the latest looks",
    run: "documents and decisions of one look",
    why: "why something was said, or not",
    quiet: "see and set when and how often you are disturbed",
    prefs: "see or change how reminders should be",
    pause: "pause proactive reminders",
    unpause: "resume proactive reminders",
    status: "how everything is running",
    lang: "change the language",
  },
  page: {
    title: "Commands",
    lead: "What stands in angle brackets is for you to fill in, what stands in square brackets may be left out. Times can be said as they come: tomorrow 3pm, Friday, in 2h. A line with wrong arguments is answered with one line of advice and changes nothing.",
    columns: ["Command", "What it does", "Example", "Who may"],
  },
  who: { everyone: "everyone", admin: "owner and admins", owner: "owner" },
  whoami: (name, role, openId, language, zone) =>
    `${name === "" ? "You" : name}: ${role}\nopen_id: ${openId}\nLanguage: ${language} · Time zone: ${zone}`,
  role: { owner: "owner", admin: "admin", member: "member" },
  languageName: { zh: "Chinese", en: "English" },
  languageSet: "OK, English from now on.",
  unknown: (given, near) =>
    near === ""
      ? `There is no command ${given}. Send /help to see them all.`
      : `There is no command ${given}. Did you mean ${near}?`,
  nothingToUnderstand: "There is no text in this message that I can read. Send /help to see what I can do.",
  closedDone: (number, title) => `OK, #${number} “${title}” is done.`,
  closedDropped: (number, title) => `OK, #${number} “${title}” is dropped.`,
  alreadyClosed: (number, title, who, when) => `#${number} “${title}” was already settled by ${who} ${when}.`,
  snoozed: (number, title, when) => `OK, #${number} “${title}” is snoozed until ${when}.`,
  snoozedMoved: (number, title, when) => `That falls into the quiet hours: #${number} “${title}” will come ${when}.`,
  reminderSet: (number, title, when) => `OK, I will remind you ${when}: ${title} (#${number}).`,
  nextSteps: (number) => `The card will have Done and Snooze; you can also send /done ${number} now.`,
  whoYou: "you",
  noneOpen: "Nothing is open.",
  quietSet: (from, until) => `OK, I stay quiet from ${from} to ${until}.`,
  quietOff: "OK, no quiet hours: a reminder may come at any time. To set them again send: /quiet 21:30-09:00",
  quietNone: "There are no quiet hours. To set them send: /quiet 21:30-09:00",
  quietShow: (from, until) => `I stay quiet from ${from} to ${until}. To change it send: /quiet 21:30-09:00`,
  quietRuleSet: (rule) => `OK: ${rule}.`,
  quietRules: {
    max: (n) => (n === 0 ? "no reminders but those whose time you named" : `at most ${n} reminders a day`),
    gap: (minutes) => `at least ${minutes} minutes between two reminders`,
    rest: (hours) => `the same matter not again within ${hours} hours`,
    ignored: (n) => `a matter is dropped from reminders after ${n} without an answer`,
    matters: (n) => `at most ${n} matters on a card`,
    idle: (minutes) => `not before you have been silent for ${minutes} minutes`,
  },
  paused: (until) =>
    until === ""
      ? "OK, no proactive reminders for now. Send /unpause to resume."
      : `OK, no proactive reminders until ${until}. Send /unpause to resume earlier.`,
  unpaused: "OK, proactive reminders are back.",
  prefsSaved: "Your preferences are saved.",
  prefsTemplate: `# How reminders should be

Write in your own words; I read this every time.

- Promises and deadlines at work: remind me.
- Private spending and passing ideas: do not.
- Tone: short and direct.
`,
  tick: {
    sent: (count) => `Done looking: ${count === 1 ? "one matter" : `${count} matters`} to mention, coming right up.`,
    nothing: (why) => `Done looking: nothing to mention now. ${why}`,
    dryNothing: (why) => `Dry run: nothing would be sent. ${why}`,
    drySend: (text) => `Dry run (nothing sent, nothing recorded). This would be sent:\n${text}`,
    failed: (ref) => `This look failed. Nothing is lost, the next one starts over. Reference ${ref}`,
  },
  silence: {
    outside_active_window: "It is outside your active hours.",
    nothing_new: "There is nothing new.",
    paused: "Proactive reminders are paused; send /unpause to resume.",
    person_is_talking: "You are talking with Hermes; I wait until you pause.",
    no_owner: "There is no owner yet.",
    history_unavailable: "Hermes' session history cannot be read right now; I will try again.",
    not_arriving: "The last reminders did not arrive; I will try again after a pause.",
    already_looking: "Another look is under way; wait for it to finish.",
  },
  allSkipped: "Nothing of what I looked at needs saying now.",
  noCandidates: "I found nothing that is still open.",
  notSpokenYet: (number, title) => `#${number} “${title}” has not been mentioned yet, so there is nothing to explain.`,
  toldInPrivate: "This is not for the group: I have sent it to you directly.",
  noRunYet: "There has been no look yet. Send /tick to look now.",
  pairing: {
    ask: "This is a private bot. Please send me the pairing code from the server's log.",
    wrong: "That is not the pairing code. Please check the server's log.",
    tooMany: "Too many tries: there is a new pairing code in the server's log.",
    welcome:
      "Paired: you are the owner here.\nI read what you and Hermes talked about, find what is still open, and remind you once, at a good time. Send /help to see what I can do.",
    stranger: "Sorry, I serve only people who were let in. Ask an owner to send me /members and let you in.",
    onlyDirect: "Please send the pairing code in a direct chat with me.",
  },
  reply: {
    which: (list, first) => `There are several matters on this card. Which one? For example “${first} done”:\n${list}`,
    unclear: (example) => `I did not get that. You can reply: ${example}`,
    example: "done / not needed / tomorrow 3pm",
    meant: {
      done: (number, title) =>
        `Do you mean that “${title}” is done? Please reply to its card, or send /done ${number}.`,
      drop: (number, title) =>
        `Do you mean that “${title}” is not needed? Please reply to its card, or send /drop ${number}.`,
    },
  },
  admin: "Only the owner and admins can use this command.",
  stale: (age) => `You sent this ${age} ago, while I was away. Please send it again if you still need it.`,
  several: (list) => `Several matters fit. Please say which one by its number:\n${list}`,
  notice: {
    history_malformed: {
      title: "Hermes' session store cannot be read",
      text: "The file looks damaged. I stopped reading it and changed nothing. Please check Hermes' state.db (for example with hermes doctor); I go on by myself once it is mended.",
    },
    history_silent: {
      title: "No news from Hermes' sessions for a long time",
      text: "I am still here, but the session store has not been readable. Please check that Hermes is running and that path and permissions are right.",
    },
    feishu_refuses: {
      title: "Feishu refuses my calls",
      text: "The app lacks a permission, or its quota is used up. Please check the permissions in the developer console and publish a new version.",
    },
    disk_full: {
      title: "The disk is nearly full",
      text: "Little room is left where the data folder lies; once it is full nothing can be stored. Free some space, or move HERALD_DATA_DIR elsewhere.",
    },
    clock_off: {
      title: "This machine's clock is off",
      text: "It differs from Feishu's by more than a minute, so reminders come early or late. Switch time synchronisation on, for example timedatectl set-ntp true.",
    },
    ticks_fail: {
      title: "My last looks at the sessions did not come to an end",
      text: "Until one does, no reminders come; nothing is lost, it is all read again. Send /status to see what is wrong, or /tick to try again.",
    },
  },
};
