import type { platform as zh } from "../zh/platform.ts";

/** The playground's platform: its people, its group, and the errors Feishu's client would show. */
export const platform: typeof zh = {
  groupName: "Product team",
  names: { owner: "王小明", member: "李雷", english: "Ada" },
  initials: { owner: "小明", member: "李雷", english: "A" },
  unreadableCard: "Update the app to see this card",
  roles: {
    owner: "Owner",
    member: "Colleague",
    english: "English reader",
  },
  tapErrors: {
    notSubscribed: "Something went wrong, try again later: the bot is not online to hear this tap",
    timedOut: "Something went wrong, try again later: the bot did not answer within 3 seconds",
    unreachable: "Something went wrong, try again later: the bot's callback address cannot be reached",
    notOk: "Something went wrong, try again later: the bot failed on this tap",
    wrongShape: "Something went wrong, try again later: the bot's answer is malformed",
    wrongCard: "Something went wrong, try again later: the card in the bot's answer is malformed",
    olderSchema: "Something went wrong, try again later: a 2.0 card cannot become a 1.0 card",
    tooOld: "This card was sent more than 14 days ago and can no longer be used",
    recalled: "This message was recalled",
  },
  requests: {
    unknownChat: "There is no such chat",
    unknownPerson: "There is no such person in this chat",
    unknownMessage: "There is no such message",
    notACard: "This message is not a card",
    emptyText: "Write something first",
    textTooLong: "This message is too long: 150 KB at most",
    badRequest: "The request is malformed",
    tooLarge: "The request is too large",
    notFound: "There is nothing at this address",
    foreign: "Only the demo page on this machine may ask for this",
    clockFixed: "The clock cannot be moved here",
    noAgent: "There is no stand-in to switch here",
    clockFormat: "This is not a time. Give an instant such as 2026-01-31T09:00:00Z, or a duration such as 8h, 7d or 1w",
    clockBackwards: "The clock only moves forward",
    failed: "Something went wrong; nothing was changed",
    pageMissing: "The demo page has not been built yet",
  },
};
