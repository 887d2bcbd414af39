import { randomBytes } from "node:crypto";
import { type Lark, LarkError } from "../../bot/lark.ts";
import type { Texts } from "../../text/pick.ts";
import type { Ear } from "./ear.ts";
import type { Terminal } from "./terminal.ts";

const WAIT_MS = 2 * 60_000;
/** A clock that is off gives no figure worth showing. */
const MOST_LIKELY_MS = 60_000;

/**
 * Sends the owner a card with one button and waits for the tap: the proof that messages go out and taps come back.
 * @returns whether it came; why not was said
 */
export async function testCard(
  parts: { terminal: Terminal; t: Texts["setup"]; ear: Ear; lark: Lark; ownerOpenId: string; now: () => Date },
  waitMs = WAIT_MS,
): Promise<boolean> {
  const { terminal, t, ear, lark, ownerOpenId, now } = parts;
  const secret = randomBytes(16).toString("hex");
  // Listens before it speaks: nobody is quicker than that.
  const tapped = ear.waitFor<{ afterMs: number | undefined }>(
    ({ event, createdAt }) => {
      if (event.kind !== "tap" || event.operatorOpenId !== ownerOpenId) return undefined;
      if ((event.value as { setup?: unknown } | undefined)?.setup !== secret) return undefined;
      const took = createdAt === undefined ? undefined : now().getTime() - createdAt.getTime();
      const afterMs = took !== undefined && took >= 0 && took < MOST_LIKELY_MS ? Math.round(took) : undefined;
      const answer = {
        toast: { type: "success", content: t.card.toast },
        card: { type: "raw", data: card(t, undefined) },
      };
      return { value: { afterMs }, answer };
    },
    { ms: waitMs, signal: terminal.gone },
  );
  const began = performance.now();
  try {
    await lark.send({ openId: ownerOpenId }, { type: "interactive", content: card(t, secret) }, `setup-${secret}`);
  } catch (error) {
    terminal.say(t.cardNotSent(error instanceof LarkError && error.code !== undefined ? String(error.code) : "–"));
    return false;
  }
  terminal.say(t.tapIt(Math.round(performance.now() - began)));
  const tap = await tapped;
  if (tap === undefined) {
    if (!terminal.gone.aborted) terminal.say(t.noTap);
    return false;
  }
  terminal.say(t.tapCame(tap.afterMs));
  return true;
}

/** With the button, or as it stands after the tap. */
function card(t: Texts["setup"], secret: string | undefined): object {
  return {
    schema: "2.0",
    config: { update_multi: true, summary: { content: t.card.title } },
    header: { template: secret === undefined ? "green" : "blue", title: { tag: "plain_text", content: t.card.title } },
    body: {
      elements: [
        { tag: "div", text: { tag: "plain_text", content: secret === undefined ? t.card.done : t.card.text } },
        ...(secret === undefined
          ? []
          : [
              {
                tag: "button",
                type: "primary",
                text: { tag: "plain_text", content: t.card.button },
                behaviors: [{ type: "callback", value: { setup: secret } }],
              },
            ]),
      ],
    },
  };
}
