import { type Llm, LlmError, type Question, type Reply } from "../../src/engine/ports.ts";

/** What a scripted model answers: a value in the schema asked for, a failure, or something made from the question. */
export type ScriptedAnswer = object | LlmError | ((question: Question<unknown>) => object | Promise<object>);

export interface ScriptedLlm extends Llm {
  /** Every question asked so far. */
  readonly questions: readonly Question<unknown>[];
}

/** A model that answers by purpose, in order; the last answer of a purpose repeats. An unscripted question fails the test. */
export function scriptedLlm(script: Readonly<Record<string, readonly ScriptedAnswer[]>>): ScriptedLlm {
  const asked = new Map<string, number>();
  const questions: Question<unknown>[] = [];
  return {
    configured: true,
    questions,
    async ask<T>(question: Question<T>): Promise<Reply<T>> {
      questions.push(question);
      const answers = script[question.purpose] ?? [];
      const n = asked.get(question.purpose) ?? 0;
      asked.set(question.purpose, n + 1);
      const answer = answers[Math.min(n, answers.length - 1)];
      if (answer === undefined) throw new Error(`unscripted question: ${question.purpose}`);
      if (answer instanceof LlmError) throw answer;
      const value = typeof answer === "function" ? await answer(question) : answer;
      const parsed = question.reply.safeParse(value);
      if (!parsed.success) throw new LlmError("unreadable", parsed.error.message);
      return { value: parsed.data, model: "scripted" };
    },
  };
}
