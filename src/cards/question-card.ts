import { type AskedView, askedOutcome, askedUntil } from "./asked.ts";
import { header, literal, note, row } from "./blocks.ts";
import { actionButton, submitButton } from "./buttons.ts";
import type { Card, RootElement } from "./card.ts";
import { cutText } from "./cut-text.ts";
import { cleanText } from "./escape.ts";
import { fitCard } from "./fit-card.ts";
import { type Look, say } from "./look.ts";

const QUESTION_CHARS = 3_000;
const ANSWER_CHARS = 500;

/** Something Hermes wants to know before it goes on: its choices as buttons, and room for other words. */
export function questionCard(view: AskedView, look: Look): Card {
  const elements: RootElement[] = [literal(view.text, { maxChars: QUESTION_CHARS })];
  if (view.state === "open") {
    if (view.choices.length > 0) {
      elements.push(
        row(
          view.choices.map((choice, index) =>
            actionButton("question.answer", { question: view.question, choice: index }, look, {
              label: () => cleanText(choice),
            }),
          ),
        ),
      );
    }
    elements.push(
      form(view, look),
      askedUntil(view, look),
      note(look, (t) => t.chat.question.by),
    );
  } else {
    elements.push(
      ...askedOutcome(
        view,
        look,
        (t) => t.chat.question.answered(cutText(cleanText(view.choice ?? ""), ANSWER_CHARS)),
        (t) => t.chat.asked.expiredQuestion,
      ),
    );
  }
  const done = view.state === "told";
  const over = view.state === "void" || view.state === "expired";
  return fitCard(look, {
    header: header(look, done ? "green" : over ? "grey" : "blue", (t) => t.chat.question.title),
    summary: (t) => `${t.chat.question.summary}: ${cutText(cleanText(view.text), 80)}`,
    blocks: [{ stands: 0, elements }],
  });
}

function form(view: AskedView, look: Look): RootElement {
  return {
    tag: "form",
    name: "answer",
    elements: [
      {
        tag: "input",
        name: "text",
        width: "fill",
        max_length: 1_000,
        placeholder: { tag: "plain_text", ...say(look, (t) => t.chat.question.placeholder) },
      },
      submitButton("question.say", { question: view.question }, look, {
        control: "send",
        label: (t) => t.chat.question.send,
      }),
    ],
  };
}
