/**
 * What a platform code means for us. `try_again`: the very same call can work later (sends only with the same uuid).
 * `too_fast`: the same after a pause. `token`: once more with a fresh token. `gone`: the message can never be touched
 * again, a new one may be sent. `refused`: the content will never be taken in this form. `unreachable`: this person or
 * chat cannot be written to. `not_allowed`: somebody must change a setting in the console. `bug`: our call is wrong.
 */
export type LarkErrorKind =
  | "try_again"
  | "too_fast"
  | "token"
  | "gone"
  | "refused"
  | "unreachable"
  | "not_allowed"
  | "bug";

/** Platform code → kind. Sources: Feishu "Send message", "Reply", "Update card", "Generic error codes", "Frequency control". */
const kinds: Readonly<Record<number, LarkErrorKind>> = {
  // card entities; Feishu: streaming updates
  10002: "bug", // parameter
  200220: "refused", // card content
  200740: "gone", // no such entity
  200750: "gone", // entity older than 14 days
  200770: "bug", // uuid used
  200810: "try_again", // a tap on it is being answered
  200850: "gone", // streaming timed out: open it again
  200860: "refused", // over 30 KB
  300120: "try_again", // internal; again with a higher number
  300301: "refused", // an element id twice
  300303: "refused",
  300305: "refused", // over 200 elements
  300307: "refused",
  300309: "gone", // streaming is closed
  300310: "refused",
  300311: "gone", // sent already, or another app's
  300313: "gone", // no such element
  300317: "gone", // number too low: another writer was later
  // files of messages; Feishu: get resource file
  234001: "refused",
  234003: "gone", // not in this message
  234004: "unreachable",
  234006: "refused", // too large
  234008: "unreachable",
  234009: "unreachable",
  234010: "refused", // empty
  234037: "refused", // over 100 MB
  234043: "refused", // kind of message not supported
  // frequency
  99991400: "too_fast", // gateway limit; x-ogw-ratelimit-reset says how long
  230020: "too_fast", // per user, chat or message
  11232: "too_fast",
  11233: "too_fast",
  11247: "too_fast",
  // outcome unknown or still running
  230049: "try_again", // message is still being sent
  18121: "try_again", // the same request is in progress
  2200: "try_again",
  1500: "try_again",
  5000: "try_again",
  // tenant access token
  99991661: "token",
  99991663: "token",
  99991665: "token",
  99991668: "token",
  99991671: "token",
  // the message or the place is gone
  230011: "gone", // recalled
  230031: "gone", // older than 14 days
  230110: "gone", // deleted
  230111: "gone", // self-destructed
  230019: "gone", // topic does not exist: send without it
  99992354: "gone", // reply target is no message id (temporary click id)
  231003: "gone", // message not found
  230050: "gone", // message not visible to the operator
  // content
  230099: "refused", // card could not be built; see cardSubCode
  230022: "refused", // sensitive content
  230028: "refused", // data-loss rules
  230025: "refused", // too long
  230054: "refused",
  230055: "refused",
  200830: "refused", // 2.0 card cannot become 1.0
  230072: "refused", // 20 edits used
  230075: "refused", // edit time over
  // this person or chat
  230002: "unreachable", // bot is not in the group
  230013: "unreachable", // outside the app's availability range, blocked or resigned
  230029: "unreachable", // resigned
  230034: "unreachable", // receive_id invalid
  230035: "unreachable", // sending refused
  230053: "unreachable", // the person stopped this bot's messages
  232009: "unreachable", // chat dissolved
  99992351: "unreachable", // open_id does not exist
  99992361: "unreachable", // open_id of another app
  230018: "unreachable", // the group's settings forbid it
  230027: "unreachable",
  230038: "unreachable", // cross-tenant
  // somebody must change a setting
  10003: "not_allowed", // App ID unknown (answer of the token call)
  10014: "not_allowed", // App Secret wrong (answer of the token call)
  99991401: "not_allowed", // caller's address is not on the app's allow list
  99991403: "not_allowed", // monthly quota used up
  99991672: "not_allowed", // scope missing
  230006: "not_allowed", // bot ability not switched on
  230017: "not_allowed",
  230071: "not_allowed",
  230036: "not_allowed",
  // our mistake
  99992402: "bug",
  230001: "bug",
};

/** The sub code a 230099 names in its text as `ext=ErrCode: N`. */
export function cardSubCode(msg: string): number | undefined {
  const found = /ErrCode:\s*(\d+)/.exec(msg);
  return found?.[1] === undefined ? undefined : Number(found[1]);
}

/**
 * Sorts a failed call. `code` undefined means that no answer of the platform was read (network, time-out): the outcome
 * is unknown, which only a call with a uuid, or one that may repeat, can stand.
 */
export function larkErrorKind(code: number | undefined, msg: string, httpStatus: number | undefined): LarkErrorKind {
  if (code === undefined) {
    if (httpStatus === 429) return "too_fast";
    return httpStatus === undefined || httpStatus >= 500 ? "try_again" : "bug";
  }
  // A tap on this card is being answered: the same call works a moment later.
  if (code === 230099 && /card action is lock/i.test(msg)) return "try_again";
  const known = kinds[code];
  if (known !== undefined) return known;
  if (httpStatus === 429) return "too_fast";
  return httpStatus !== undefined && httpStatus >= 500 ? "try_again" : "bug";
}
