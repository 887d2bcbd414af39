import { randomInt } from "node:crypto";
import type { Lark } from "../../bot/lark.ts";
import { readCode } from "../../engine/people/pair-owner.ts";
import type { Texts } from "../../text/pick.ts";
import type { Ear } from "./ear.ts";
import type { Terminal } from "./terminal.ts";

/** No letters or digits that look alike, as for the code of a running server. */
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const MOST_WRONG = 5;
const WAIT_MS = 5 * 60_000;

/**
 * Shows a code and waits until somebody sends it to the bot in their direct chat: that is the owner.
 * @returns undefined when nobody did in five minutes, or five codes were wrong
 */
export async function pairByCode(
  parts: { terminal: Terminal; t: Texts["setup"]; ear: Ear; lark: Lark },
  waitMs = WAIT_MS,
): Promise<string | undefined> {
  const { terminal, t, ear, lark } = parts;
  const code = Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  terminal.say(t.sendCode(`${code.slice(0, 4)} ${code.slice(4)}`));
  let wrong = 0;
  const found = await ear.waitFor<{ openId: string; messageId: string } | "wrong">(
    ({ event }) => {
      if (event.kind !== "message" || event.chatType !== "p2p" || event.senderType !== "user") return undefined;
      const given = readCode(event.text);
      if (given === undefined) return undefined;
      if (given === code) return { value: { openId: event.senderOpenId, messageId: event.messageId } };
      wrong += 1;
      return wrong < MOST_WRONG ? undefined : { value: "wrong" };
    },
    { ms: waitMs, signal: terminal.gone },
  );
  if (found === undefined || found === "wrong") {
    terminal.say(found === "wrong" ? t.wrongCodes : t.nobodyPaired);
    return undefined;
  }
  terminal.say(t.paired(found.openId));
  // Saying thank you is not worth failing for.
  await lark
    .reply(found.messageId, { type: "text", content: { text: t.pairedReply } }, `setup-${code}`)
    .catch(() => undefined);
  return found.openId;
}
