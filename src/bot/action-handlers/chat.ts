import { type AnswerResult, answerQuestion } from "../../engine/chat/answer-question.ts";
import { retryTurn } from "../../engine/chat/retry-turn.ts";
import { stopTurn } from "../../engine/chat/stop-turn.ts";
import { EngineError } from "../../engine/errors.ts";
import type { Answer, Tap } from "../tap.ts";
import type { ActionHandlers } from "./index.ts";

type ChatActions = Pick<ActionHandlers, "turn.stop" | "turn.retry" | "question.answer" | "question.say">;

/** What the buttons of replies and of Hermes' questions do. The card they stand on says which turn or question is meant. */
export const chatActions: ChatActions = {
  "turn.stop": async (tap, { turn }) => {
    assertShown(tap, "turn", turn);
    const { t } = tap.reader;
    const result = await stopTurn(tap.scope, tap.who, { turnId: turn });
    switch (result.outcome) {
      case "taken_back":
        return { toast: { type: "success", content: t.chat.toast.takenBack }, redraw: true };
      case "asked":
        // A card that streams cannot be changed by an answer; its button is changed by whoever streams it.
        return {
          toast: { type: "info", content: t.chat.toast.stopping },
          redraw: false,
          wakes: ["run-waiting-turns"],
        };
      case "impossible":
        return { toast: { type: "warning", content: t.chat.toast.cannotStop }, redraw: false };
      case "already": {
        const runs = result.turn.status === "running";
        const content = runs ? t.chat.toast.stopping : t.chat.toast.alreadyEnded;
        return { toast: { type: "info", content }, redraw: !runs };
      }
    }
  },
  "turn.retry": async (tap, { turn }) => {
    assertShown(tap, "turn", turn);
    const { t } = tap.reader;
    const result = await retryTurn(tap.scope, tap.who, { turnId: turn });
    if (result.outcome === "already")
      return { toast: { type: "info", content: t.chat.toast.alreadyRetried }, redraw: true };
    return {
      toast: { type: "success", content: t.chat.toast.retried },
      redraw: true,
      wakes: ["run-waiting-turns"],
    };
  },
  "question.answer": async (tap, { question, choice }) => {
    assertShown(tap, "question", question);
    return answered(tap, await answerQuestion(tap.scope, tap.who, { questionId: question, choice }));
  },
  "question.say": async (tap, { question }, { text }) => {
    assertShown(tap, "question", question);
    return answered(tap, await answerQuestion(tap.scope, tap.who, { questionId: question, choice: text }));
  },
};

/** The button's card shows this very thing: an id from another card decides nothing here. */
function assertShown({ post }: Tap, kind: "turn" | "question", id: string): void {
  if (post.subjectKind !== kind || post.subjectId !== id) throw new EngineError("not_found", { what: kind });
}

function answered(tap: Tap, result: AnswerResult): Answer {
  const { t } = tap.reader;
  if (result.outcome === "already")
    return { toast: { type: "info", content: t.chat.toast.alreadyAnswered }, redraw: true, wakes: ["answer-hermes"] };
  return {
    toast: { type: "success", content: t.chat.toast.answered },
    redraw: true,
    wakes: ["answer-hermes"],
  };
}
